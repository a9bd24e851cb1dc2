import type { Browser, Page } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  expectNoViolations,
  inEachLook,
} from '#e2e/support/accessible.ts';
import { acknowledge, largeTerms, newSubmission } from '#e2e/support/arrange.ts';
import { post } from '#e2e/support/calls.ts';
import { expectByItself } from '#e2e/support/clock.ts';
import { moreAction } from '#e2e/support/desk.ts';
import { DEMONSTRATION_PASSWORD, expect, logIn, test, visit } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { alterAnswers } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/** The decision desk: from submission to settlement, and what keeps two officers from deciding the same case. */

test.use({ world: 'desk' });
test.describe.configure({ mode: 'default' });

const CLIENT = '0700000002';
const OFFICER = 'staff@kasente.test';
const OTHER_OFFICER = 'admin@kasente.test';

/** Another person, in their own browser. */
async function as(browser: Browser, username: string): Promise<Page> {
  const page = await browser.newPage();
  await page.clock.install();
  await logIn(page, username);
  return page;
}

const decision = (page: Page) => page.getByRole('region', { name: 'Decision' });
const payments = (page: Page) => page.getByRole('region', { name: 'Payments' });
const happened = (page: Page) => page.getByRole('region', { name: 'What happened' });
const filters = (page: Page) => page.getByRole('navigation', { name: /^Filters of/ });
const filterBy = (page: Page, name: string) => filters(page).getByRole('link', { name });
const button = (page: Page, name: string) => decision(page).getByRole('button', { name, exact: true });

test('a large advance is questioned, answered, approved by two officers, paid out and settled', async ({
  page,
  browser,
}) => {
  test.slow();
  await page.clock.install();
  const client = await as(browser, CLIENT);
  const next = await newSubmission(client);
  await logIn(page, OFFICER, { to: '/desk?search=E2E' });
  await expect(page).toHaveTitle('Decision Desk | Kasente');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Queue · \d+ waiting · \d+ due within the hour$/);
  await expect(page.getByRole('row').filter({ hasText: next.number })).toBeVisible();
  const { tag, number } = await newSubmission(client, largeTerms);

  const row = page.getByRole('row').filter({ hasText: number });
  await expectByItself(page, row);
  await expect(row.getByText('Submitted')).toBeVisible();
  await expect(row.getByText('New', { exact: true })).toBeVisible();
  await expect(row.getByText('Unassigned')).toBeVisible();
  await expect(row.getByText(/^\d+ flags?$/)).toBeVisible();
  // One press takes the case and starts its review.
  await row.getByRole('button', { name: `Take Jinja Agro Supplies Ltd, invoice ${number}` }).click();
  await expect(row.getByText('you', { exact: true })).toBeVisible();
  await expect(row.getByText('In Review')).toBeVisible();
  await expect(row.getByText('New', { exact: true })).toHaveCount(0);
  await row.getByRole('rowheader').getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/desk/${tag}$`));
  await expect(
    page.getByRole('region', { name: 'Documents' }).getByRole('img', { name: 'Invoice copy' }),
  ).toBeVisible();
  // The same photo was uploaded for the other invoice: both show side by side.
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('the same file was uploaded for another');
  const duplicates = page.getByRole('region', { name: 'The same file was uploaded for another invoice' }).first();
  await expect(duplicates.getByRole('row', { name: /^Invoice/ })).toContainText(number);
  await expect(duplicates.getByRole('row', { name: /^Invoice/ })).toContainText(/E2E-\d+.*E2E-\d+/);
  await expect(button(page, 'Approve (first of two)')).toBeVisible();
  await acknowledge(page, { tag });

  await (await moreAction(page, 'Request Information')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Ask the Client' }).click();
  await expect(dialog.getByText('Write what you need to know')).toBeVisible();
  await picture(page, 'desk-case-request-information');
  await dialog.getByLabel('Question').fill('Please send the delivery note.');
  await dialog.getByRole('checkbox', { name: 'Bank statement' }).check();
  await dialog.getByRole('button', { name: 'Ask the Client' }).click();
  await expect(decision(page).getByText('waiting for client')).toBeVisible();
  await expect(happened(page).getByText('Please send the delivery note.')).toBeVisible();
  await picture(page, 'desk-case-waiting-for-client');

  await post(client, `applications/${tag}/answer`, { answer: 'It is on the second page.' });
  await expectByItself(page, button(page, 'Approve (first of two)'));
  await expect(decision(page).getByText(/^Answered \d\d:\d\d today: It is on the second page\.$/)).toBeVisible();
  await button(page, 'Approve (first of two)').click();
  await expect(dialog.getByRole('heading', { name: 'First of two approvals' })).toBeVisible();
  await expect(dialog.getByText('UGX 22,250,000')).toBeVisible();
  await picture(page, 'desk-case-first-approval');
  await dialog.getByRole('button', { name: 'Give First Approval' }).click();
  await expect(page.getByRole('alert').getByText(`invoice ${number}, has its first approval`)).toBeVisible();

  // The next case opens by itself; the link back says that another officer must approve.
  await expect(page).toHaveURL(/\/desk\/[0-9a-f-]{36}$/);
  await expect(page).not.toHaveURL(new RegExp(tag));
  await page.getByRole('link', { name: 'Back to it' }).click();
  await expect(decision(page).getByText('another officer must give the second')).toBeVisible();
  await expect(decision(page).getByText('First approval by you')).toBeVisible();
  await picture(page, 'desk-case-first-approval-given');

  const other = await as(browser, OTHER_OFFICER);
  await visit(other, '/desk');
  await filterBy(other, 'Second officer').click();
  const second = other.getByRole('row').filter({ hasText: number });
  await expect(second.getByText('first approval by Peter Okello')).toBeVisible();
  await visit(other, `/desk/${tag}`);
  await button(other, 'Approve (second of two)').click();
  await expect(other.getByRole('heading', { name: 'Second approval' })).toBeVisible();
  await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await other.getByRole('link', { name: 'Back to it' }).click();
  await settle(other, tag, page);
  await expect(happened(other).getByRole('listitem')).toContainText([
    'Submitted',
    'Review started',
    'Information requested',
    'Client answered',
    'First approval',
    'Approved',
    'Paid out',
    'Part paid back',
    'Repayment reversed',
    'Fully paid back',
    'Extra money paid to the client',
  ]);
  for (const letter of ['Key facts', 'Offer letter', 'Evidence']) {
    const url = await happened(other).getByRole('link', { name: letter }).getAttribute('href');
    const answer = await other.request.get(url ?? '');
    expect(answer.headers()['content-type'], letter).toBe('application/pdf');
  }
});

/** Records a payment in its dialog. */
async function record(page: Page, name: string, reference: string, amount?: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await payments(page).getByRole('button', { name }).click();
  if (amount !== undefined) await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByLabel('Reference').fill(reference);
  await dialog.getByRole('button', { name }).click();
  await expect(dialog).toHaveCount(0);
}

/** Prepares the due amount in one officer's window, and releases it in the other's. */
async function payOut(preparer: Page, releaser: Page, reference: string): Promise<void> {
  await payments(preparer).getByRole('button', { name: 'Prepare payout' }).click();
  await preparer.getByRole('dialog').getByRole('button', { name: 'Prepare payout' }).click();
  await expect(payments(preparer).getByRole('button', { name: 'Release payout' })).toBeDisabled();
  await expect(payments(preparer)).toContainText('You prepared this payout. Another officer must release it.');
  const release = payments(releaser).getByRole('button', { name: 'Release payout' });
  await expectByItself(releaser, release);
  await release.click();
  const dialog = releaser.getByRole('dialog', { name: 'Release this payout?' });
  await expect(dialog).toContainText('to Jinja Agro Supplies Ltd. Prepared by');
  await expect(dialog).toContainText(/Checked .+ by /);
  await dialog.getByRole('button', { name: 'Release payout' }).click();
  await expect(dialog.getByText('Give the reference of the payment')).toBeVisible();
  await dialog.getByLabel('Reference').fill(reference);
  await dialog.getByLabel('Your password').fill('Not-my-password-1');
  await dialog.getByRole('button', { name: 'Release payout' }).click();
  await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription('This is not your current password');
  await dialog.getByLabel('Your password').fill(DEMONSTRATION_PASSWORD);
  await dialog.getByRole('button', { name: 'Release payout' }).click();
  await expect(dialog).toHaveCount(0);
}

/**
 * Pays out, and receives a part by mistake, then the full amount and a surplus; the other officer releases the surplus.
 */
async function settle(page: Page, tag: string, colleague: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await visit(colleague, `/desk/${tag}`);
  // A reference is valid for one payout only, so each attempt of this test needs its own.
  const ofTry = tag.slice(0, 8);
  await payOut(colleague, page, `MM-1-${ofTry}`);
  await expect(page.locator('h1 + [data-status=disbursed]')).toBeVisible();
  await expect(payments(page).getByText('UGX 25,000,000')).toBeVisible();

  await record(page, 'Record repayment', 'BK-1', '5000000');
  await expect(payments(page).getByText('UGX 20,000,000')).toBeVisible();
  await payments(page)
    .getByRole('button', { name: 'Reverse this payment: Repayment from the buyer, reference BK-1' })
    .click();
  await dialog.getByRole('button', { name: 'Reverse this payment' }).click();
  await expect(dialog.getByText('Say why you reverse it')).toBeVisible();
  await picture(page, 'desk-case-reverse');
  await dialog.getByLabel('Reason').fill('It was for another invoice');
  await dialog.getByRole('button', { name: 'Reverse this payment' }).click();
  await expect(payments(page).getByText('It was for another invoice')).toBeVisible();
  await record(page, 'Record repayment', 'BK-2', '30000000');
  await expect(page.locator('h1 + [data-status=settled]')).toBeVisible();
  // The officer who recorded it prepares the extra; the other one releases it.
  await payOut(page, colleague, `MM-2-${ofTry}`);
  await expect(payments(page).getByText('Extra paid to client').last()).toBeVisible();
  await expect(payments(page).getByRole('row')).toHaveCount(6);
  await picture(page, 'desk-case-settled');
}

test('the keys alone find, open, take, review and decline a case, and the next case opens', async ({
  page,
  browser,
}) => {
  const { tag, number } = await newSubmission(await as(browser, CLIENT));
  await logIn(page, OFFICER, { to: `/desk?search=${number}` });
  await expect(page.getByRole('link', { name: number })).toBeVisible();
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('j');
  await expect(page.getByRole('searchbox')).toHaveValue(`${number}j`);
  await visit(page, '/home');
  await visit(page, `/desk?search=${number}`);
  await expect(page.getByRole('link', { name: number })).toBeVisible();
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts.getByText('The next case')).toBeVisible();
  await expect(shortcuts.getByRole('switch', { name: 'Use single-key shortcuts' })).toBeChecked();
  await picture(page, 'desk-shortcuts');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: number })).toBeFocused();
  await page.keyboard.press('t');
  await expect(page.getByRole('row').filter({ hasText: number }).getByText('you', { exact: true })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: number }).getByText('In Review')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Approve')).toBeEnabled();
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(dialog.getByText('Select a reason')).toBeVisible();
  await expect(dialog.getByText('Write what the client should know')).toBeVisible();
  await picture(page, 'desk-case-decline');
  await choose(page, 'Reason', 'We do not finance invoices of this buyer at present');
  await dialog.getByLabel('Note to the client').fill('Send us another invoice.');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('alert').getByText(`invoice ${number}, was declined`)).toBeVisible();
  await expect(page).not.toHaveURL(new RegExp(tag));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await visit(page, `/desk/${tag}`);
  await expect(happened(page).getByText('We do not finance invoices of this buyer at present.')).toBeVisible();
  await expect(decision(page).getByText('decided in time')).toBeVisible();
  await picture(page, 'desk-case-declined');
  // No action is left; the keys move through the documents.
  await expect(decision(page).getByRole('button')).toHaveText([/help$/]);
});

test('the next step is possible at once, while the rest of the page is still loading', async ({ page, browser }) => {
  const client = await as(browser, CLIENT);
  const { tag } = await newSubmission(client);
  await logIn(page, OFFICER, { to: `/desk/${tag}` });
  await expect(button(page, 'Approve')).toBeEnabled();
  // On a bad connection the case loads, and nothing else does.
  await page.route('**/api/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (route.request().method() !== 'GET' || pathname.includes('/desk/cases/')) return route.continue();
    return undefined;
  });
  await (await moreAction(page, 'Request Information')).click();
  await expect(page.getByRole('dialog', { name: 'Request information' })).toBeVisible();
});

test('a case is handed over to another officer, whose screen updates by itself', async ({ page, browser }) => {
  const { tag } = await newSubmission(await as(browser, CLIENT));
  const other = await as(browser, OTHER_OFFICER);
  await post(other, `desk/cases/${tag}/take`);
  await page.clock.install();
  await logIn(page, OFFICER, { to: `/desk/${tag}` });
  await expect(decision(page).getByText('Grace Namukasa decides this case.')).toBeVisible();
  await expect(button(page, 'More')).toHaveCount(0);

  await visit(other, `/desk/${tag}`);
  await (await moreAction(other, 'Hand Over')).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'To' }).click();
  await other.getByRole('option', { name: 'Peter Okello' }).click();
  await picture(other, 'desk-case-hand-over');
  await dialog.getByRole('button', { name: 'Hand Over' }).click();
  await expect(decision(other).getByText('Peter Okello decides this case.')).toBeVisible();
  await expectByItself(page, button(page, 'Approve'));
  await expect(await moreAction(page, 'Start Review')).toBeVisible();
});

test("the staff's tiles lead to their lists, and two officers raise a client's limit with a reason", async ({
  page,
  browser,
}) => {
  await logIn(page, OFFICER);
  for (const [tile, address, filter, title] of [
    [/^Due within the hour/, 'job=decide&filter=dueSoon', /^Due within the hour/, 'Decision Desk'],
    [/^Late/, 'job=decide&filter=late', /^Late/, 'Decision Desk'],
    [/^To pay out/, 'job=payOut', /^To pay out/, 'Pay out'],
    [/^Overdue/, 'job=collect', /^Overdue/, 'Collect'],
    [/^Decided in time this month/, 'job=history', /^Decided this month/, 'History'],
  ] as const) {
    await visit(page, '/home');
    await page.getByRole('link', { name: tile }).click();
    await expect(page).toHaveURL(`/desk?${address}`);
    await expect(filters(page).locator('[aria-current="page"]')).toHaveText(filter);
    await expect(page).toHaveTitle(`${title} | Kasente`);
  }

  await visit(page, '/businesses');
  await page.getByRole('link', { name: 'Nakasero Traders Ltd' }).click();
  const limits = page.getByRole('region', { name: 'Limits' });
  await limits.getByRole('button', { name: 'Set Limit in USD' }).click();
  await limits.getByLabel('New limit').fill('20000');
  await limits.getByRole('button', { name: 'Set Limit', exact: true }).click();
  await expect(limits.getByText('Say why the limit changes')).toBeVisible();
  await limits.getByLabel('Reason').fill('Three settled on time');
  await limits.getByRole('button', { name: 'Set Limit', exact: true }).click();
  await expect(page.getByText('USD 20,000 waits for another officer to confirm it')).toBeVisible();
  await expect(limits.getByText('You proposed USD 20,000')).toBeVisible();
  await expect(limits.getByRole('button', { name: 'Confirm Limit' })).toHaveCount(0);
  await expectAccessible(page, 'business-limits-waiting');

  const other = await as(browser, OTHER_OFFICER);
  await visit(other, '/businesses');
  const waiting = other.getByRole('region', { name: 'Limits to confirm' });
  await expect(waiting.getByText('Peter Okello: from USD 15,000 to 20,000')).toBeVisible();
  await expectAccessible(other, 'businesses-limits-to-confirm');
  const open = waiting.getByRole('link', { name: 'Open the limit of Nakasero Traders Ltd in USD' });
  const theirs = other.getByRole('region', { name: 'Limits' });
  // A new officer has no button and sees why.
  await alterAnswers(other, 'businesses/*/limits', (limits: { readonly proposal: object | null }[]) =>
    limits.map((limit) => ({ ...limit, proposal: limit.proposal && { ...limit.proposal, refusal: 'NEW_OFFICER' } })),
  );
  await open.click();
  await expect(theirs.getByText('You are a new officer. Ask another officer to do this.')).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Decline' })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Confirm Limit' })).toHaveCount(0);
  await other.unroute('**/api/v1/businesses/*/limits');
  await other.goBack();
  await open.click();
  await expect(theirs.getByText('Three settled on time')).toBeVisible();
  await theirs.getByRole('button', { name: 'Confirm Limit' }).click();
  await expect(other.getByText('The limit of Nakasero Traders Ltd is USD 20,000')).toBeVisible();
  await expect(theirs.getByRole('heading', { name: 'USD 20,000' })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Confirm Limit' })).toHaveCount(0);
  await other.goBack();
  await expect(other.getByRole('table', { name: 'Businesses' })).toBeVisible();
  await expect(waiting).toHaveCount(0);
});

test('queue and case are accessible, light and dark, on a phone and on a desktop', async ({ page, browser }) => {
  await newSubmission(await as(browser, CLIENT));
  await logIn(page, OFFICER);
  await inEachLook(page, async (name) => {
    await visit(page, '/desk');
    const first = page.getByRole('link', { name: /Ltd/ }).first();
    await expect(first).toBeVisible();
    await expectNoViolations(page, `queue, ${name}`);
    await expectNoSidewaysScrolling(page, `queue, ${name}`);
    await first.click();
    await expect(happened(page).getByRole('link', { name: 'Evidence' })).toBeVisible();
    await expectNoViolations(page, `case, ${name}`);
    await expectNoSidewaysScrolling(page, `case, ${name}`);
  });
});
