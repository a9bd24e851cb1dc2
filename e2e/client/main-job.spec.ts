import type { Page } from '@playwright/test';
import { acknowledge, MANDATORY, review } from '#e2e/support/arrange.ts';
import type { Caller } from '#e2e/support/calls.ts';
import { moreAction, officer, verifyAccount } from '#e2e/support/desk.ts';
import {
  codeIn,
  DEMONSTRATION_PASSWORD,
  expect,
  type Kasente,
  logIn,
  logOut,
  newPhone,
  test,
  visit,
} from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { activate, applyFor, enterInvoice, PASSWORD, signUp, submit, upload } from '#e2e/support/main-job.ts';
import { expectBalanced, sendItTo } from '#e2e/support/money.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * The whole life of one invoice with everything that may happen: a payout account, a counter-offer, a payout by two
 * officers, a reminder, an overdue advance, a deduction, an extension, and repayments in parts. The journal balances
 * after each step.
 */

test.use({
  world: 'main job',
  settings: { REMINDER_DAYS: '1' },
  // With animations, as most people see it.
  contextOptions: { reducedMotion: 'no-preference' },
});

const NUMBER = 'INV/2026-777';
const ACCOUNT = 'Airtel ••• 432, Ruth Atuhaire';
/** More than the 15 days of the period and the longest run of days without payments together. */
const DAYS = 20;

const panelOf = (page: Page) => page.getByRole('region', { name: 'What happens now' });
const payments = (page: Page) => page.getByRole('region', { name: 'Payments' });
const collections = (page: Page) => page.getByRole('region', { name: 'Paying back' });

test('sign up, be activated, enter an invoice, apply, upload, submit, be seen by staff, be offered less, be paid by two officers, be late, get more time, and pay back in parts', async ({
  page,
  browser,
  kasente,
}) => {
  test.slow();
  const phone = newPhone();
  const admin = await officer(page, 'admin@kasente.test');
  await page.goto('/signup');
  await expect(page).toHaveTitle('Sign Up | Kasente');
  await expect(page.getByRole('heading', { name: 'Join Kasente' })).toBeVisible();
  await signUp(page, phone);
  await page.getByLabel('Enter PIN').pressSequentially(codeIn(await kasente.newestMessage(phone)));
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Account created successfully! Please log in.')).toBeVisible();
  await logIn(page, phone, { password: PASSWORD });
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Apply' })).toHaveCount(0);
  await logOut(page);
  await activate(browser, phone);
  expect(await kasente.newestMessage(phone)).toContain('active');
  await logIn(page, phone, { password: PASSWORD });
  await addAccount(page);
  const tag = await apply(page);
  await expectBalanced(admin);

  const desk = await browser.newPage();
  await logIn(desk, 'staff@kasente.test');
  await expectSeenByStaff(desk, tag);
  const staff = await officer(page);
  await offerLess(desk, staff, tag);
  expect(await kasente.newestMessage(phone)).toContain('We can offer you UGX 744,000 in cash');
  await acceptOffer(page, tag);
  await expectBalanced(admin);

  const colleague = await browser.newPage();
  await logIn(colleague, 'admin@kasente.test');
  await verifyAccount(staff, kasente, { tag });
  await acknowledge(admin, { tag });
  await payOut(desk, colleague, tag);
  expect(await kasente.newestMessage(phone)).toContain(
    `We paid you UGX 744,000 to ${ACCOUNT}. Pay back UGX 800,000 by`,
  );
  await expectBalanced(admin);

  await kasente.letDaysPass(tag, DAYS);
  await expectReminder(kasente, phone);
  await askForTime(page, phone, tag);
  await visit(desk, `/desk/${tag}`);
  await deduct(desk);
  await expectBalanced(admin);
  await giveTime(desk, colleague, tag);
  expect(await kasente.newestMessage(phone)).toContain('We can give you more time: pay back UGX 856,000');
  await acceptTime(page, tag);
  await expectBalanced(admin);

  await repay(desk, tag, '300000', 'BK-1');
  await expect(payments(desk)).toContainText('UGX 556,000');
  await expectBalanced(admin);
  await repay(desk, tag, '556000', 'BK-2');
  await expect(desk.locator('h1 + [data-status=settled]')).toBeVisible();
  await expectBalanced(admin);
  await visit(page, `/invoice-discounting-application/${tag}`);
  await expect(panelOf(page)).toContainText('Fully paid back');
  await picture(page, 'settled');
});

/** Adds an account besides those that the business has, to be paid to; an officer has to check it first. */
async function addAccount(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payout Accounts' }).click();
  await page.getByRole('button', { name: 'Add payout account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add payout account' });
  await choose(page, 'Where the money goes', 'Airtel');
  await dialog.getByLabel('Phone number').fill('0702 765 432');
  await dialog.getByLabel('Name on the account').fill('Ruth Atuhaire');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Add payout account' }).click();
  const added = page.getByRole('main').getByRole('listitem').filter({ hasText: ACCOUNT });
  await expect(added).toContainText('Waiting for our check');
}

/** Enters an invoice, applies for UGX 900,000, submits, and chooses the payout account; returns its tag. */
async function apply(page: Page): Promise<string> {
  await visit(page, '/home');
  await page.getByRole('link', { name: 'Apply Now' }).click();
  const tag = await enterInvoice(page);
  await applyFor(page, '900000', '30 days');
  for (const type of MANDATORY) await upload(page, type);
  await submit(page);
  await page.reload();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit Application' })).toHaveCount(0);
  await sendItTo(page, ACCOUNT);
  await expect(page.getByRole('region', { name: 'Where we send it' })).toContainText(`We send it to ${ACCOUNT}.`);
  await page.getByRole('link', { name: 'My Applications' }).first().click();
  await expect(page.getByRole('link', { name: NUMBER })).toHaveAttribute('href', new RegExp(tag));
  return tag;
}

/** Staff see it in their list and as a read-only record. */
async function expectSeenByStaff(staff: Page, tag: string): Promise<void> {
  const row = staff.getByRole('row').filter({ hasText: NUMBER });
  await expect(row).toContainText('Nakasero Traders Ltd');
  await expect(row).toContainText('801,000');
  await row.getByRole('link', { name: NUMBER }).click();
  for (const shown of ['Submitted for Processing', '801,000', 'Nakasero Traders Ltd'])
    await expect(staff.getByText(shown).first()).toBeVisible();
  const desk = staff.getByRole('link', { name: 'Open in the Decision Desk' });
  await expect(desk).toHaveAttribute('href', `/desk/${tag}`);
  await expect(staff.getByRole('textbox')).toHaveCount(0);
  await picture(staff, 'staff-application');
}

async function offerLess(desk: Page, staff: Caller, tag: string): Promise<void> {
  await review(staff, { tag });
  await visit(desk, `/desk/${tag}`);
  await (await moreAction(desk, 'Offer Other Terms')).click();
  const dialog = desk.getByRole('dialog', { name: 'Offer other terms' });
  await expect(dialog.getByLabel('Advance you offer')).toBeFocused();
  await expect(dialog).toContainText('asked for UGX 900,000 over 30 days');
  await dialog.getByLabel('Advance you offer').fill('950000');
  await dialog.getByLabel('Reason').fill('Your buyer pays within two weeks.');
  await dialog.getByRole('button', { name: 'Send Offer' }).click();
  await expect(dialog.getByText('The client asked for UGX 900,000. Offer that or less')).toBeVisible();
  await dialog.getByLabel('Advance you offer').fill('800000');
  await choose(desk, 'Financing period', '15 days');
  await expect(dialog.getByRole('status')).toHaveText('They receive UGX 744,000, for a fee of UGX 56,000.');
  await picture(desk, 'desk-case-offer');
  await dialog.getByRole('button', { name: 'Send Offer' }).click();
  await expect(dialog).toHaveCount(0);
  const decision = desk.getByRole('region', { name: 'Decision' });
  await expect(decision).toContainText('The clock is paused until the client answers.');
}

async function acceptOffer(page: Page, tag: string): Promise<void> {
  await visit(page, '/home');
  await page
    .getByRole('region', { name: /^For you to do/ })
    .getByRole('link', { name: `Offer: UGX 744,000 to you ${NUMBER}` })
    .click();
  await expect(page).toHaveURL(new RegExp(tag));
  const terms = panelOf(page).getByRole('table', { name: 'What you asked for and what we offer' });
  await expect(terms.getByRole('row', { name: 'You receive, UGX 801,000 744,000' })).toBeVisible();
  await expect(terms.getByRole('row', { name: 'Period 30 days 15 days' })).toBeVisible();
  await picture(page, 'counter-offer');
  await panelOf(page).getByRole('button', { name: 'See the terms and accept' }).click();
  const facts = page.getByRole('dialog', { name: 'Accept this offer?' });
  await expect(facts).toContainText('Pay back UGX 800,000');
  await expect(facts).toContainText('Yearly rate of the fee');
  await picture(page, 'counter-offer-accept');
  await facts.getByRole('button', { name: 'Agree and accept' }).click();
  await expect(panelOf(page)).toContainText('Approved: UGX 744,000 to you');
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('You accepted: approved');
}

/** One officer prepares, another one releases. */
async function payOut(preparer: Page, releaser: Page, tag: string): Promise<void> {
  await visit(preparer, `/desk/${tag}`);
  await payments(preparer).getByRole('button', { name: 'Prepare payout' }).click();
  await preparer.getByRole('dialog').getByRole('button', { name: 'Prepare payout' }).click();
  await expect(payments(preparer)).toContainText('You prepared this payout. Another officer must release it.');
  await picture(preparer, 'desk-case-prepared');
  await visit(releaser, `/desk/${tag}`);
  await payments(releaser).getByRole('button', { name: 'Release payout' }).click();
  const dialog = releaser.getByRole('dialog', { name: 'Release this payout?' });
  for (const said of [
    '744,000',
    'Airtel 0702765432, Ruth Atuhaire',
    /Added .+ by /,
    /Checked .+ by /,
    `${ACCOUNT} (account`,
  ])
    await expect(dialog).toContainText(said);
  await picture(releaser, 'desk-case-release');
  await dialog.getByLabel('Reference').fill('MM-777');
  await dialog.getByLabel('Your password').fill(DEMONSTRATION_PASSWORD);
  await dialog.getByRole('button', { name: 'Release payout' }).click();
  await expect(releaser.locator('h1 + [data-status=disbursed]')).toBeVisible();
}

/** Between 08:00 and 18:00 in Kampala; at other times no message is sent. */
async function expectReminder(kasente: Kasente, phone: string): Promise<void> {
  const before = await kasente.newestMessage(phone);
  const hour = (new Date().getUTCHours() + 3) % 24;
  await kasente.sweep('repayment-reminders');
  if (hour < 8 || hour >= 18) expect(await kasente.newestMessage(phone)).toBe(before);
  else await expect.poll(() => kasente.newestMessage(phone)).toMatch(/Overdue \d+ days?: pay back UGX 800,000 now\./);
}

async function askForTime(page: Page, phone: string, tag: string): Promise<void> {
  await logOut(page);
  await logIn(page, phone, { password: PASSWORD });
  const row = page.getByRole('region', { name: /^For you to do/ }).getByRole('link', { name: NUMBER });
  await expect(row).toHaveText(/^Pay UGX 800,000.+\d days? late$/);
  await visit(page, `/invoice-discounting-application/${tag}`);
  await panelOf(page).getByRole('button', { name: 'Ask for more time' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for more time' });
  await dialog.getByRole('button', { name: 'Ask for more time' }).click();
  await expect(dialog.getByText('Select Financing Period')).toBeVisible();
  await picture(page, 'more-time-ask');
  await choose(page, 'Financing period', '15 days');
  await dialog.getByLabel('Why you need it').fill('The buyer pays next week.');
  await dialog.getByRole('button', { name: 'Ask for more time' }).click();
  await expect(panelOf(page)).toContainText('You asked for more time to pay back.');
}

/** The buyer withholds tax, but the client still owes the whole advance. */
async function deduct(desk: Page): Promise<void> {
  await payments(desk).getByRole('button', { name: 'Record deduction' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('50000');
  await dialog.getByLabel('Certificate or note number').fill('WHT 777');
  await dialog.getByRole('button', { name: 'Record deduction' }).click();
  await expect(payments(desk)).toContainText('Kept back by buyerUGX 50,000');
}

const pendingRow = (page: Page) =>
  page.getByRole('table', { name: 'Queue' }).getByRole('row').filter({ hasText: NUMBER });

async function visitPending(page: Page): Promise<void> {
  await visit(page, '/home');
  await visit(page, '/desk?job=decide&filter=secondOfficer');
}

/** One officer offers an extension; another finds it among the matters that wait for a second officer, and agrees. */
async function giveTime(desk: Page, colleague: Page, tag: string): Promise<void> {
  await expect(collections(desk)).toContainText('The client asks for more time');
  await expect(collections(desk)).toContainText('The buyer pays next week.');
  await collections(desk).getByRole('button', { name: 'Offer more time' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Offer more time' });
  await expect(dialog.getByRole('combobox', { name: 'Financing period' })).toBeFocused();
  await picture(desk, 'desk-case-more-time-offer');
  await choose(desk, 'Financing period', '15 days');
  await dialog.getByLabel('Reason').fill('They called, and the buyer confirmed it.');
  await dialog.getByRole('button', { name: 'Offer more time' }).click();
  await expect(collections(desk)).toContainText('Another officer must agree');
  await picture(desk, 'desk-case-more-time-proposed');
  await expect(collections(desk).getByRole('button', { name: 'Agree to it' })).toHaveCount(0);
  await visitPending(desk);
  await expect(pendingRow(desk)).toContainText('offered by you, another officer agrees');
  await expect(pendingRow(desk).getByRole('button')).toHaveCount(0);
  await visit(desk, `/desk/${tag}`);
  await visitPending(colleague);
  await pendingRow(colleague).getByRole('rowheader').getByRole('link').click();
  await collections(colleague).getByRole('button', { name: 'Agree to it' }).click();
  await expect(collections(colleague).getByRole('button', { name: 'Agree to it' })).toHaveCount(0);
  await visitPending(colleague);
  await expect(pendingRow(colleague)).toHaveCount(0);
  await visit(colleague, `/desk/${tag}`);
}

async function acceptTime(page: Page, tag: string): Promise<void> {
  await visit(page, '/home');
  await visit(page, `/invoice-discounting-application/${tag}`);
  await panelOf(page).getByRole('button', { name: 'See the terms and accept' }).click();
  const dialog = page.getByRole('dialog', { name: 'Accept more time?' });
  await expect(dialog).toContainText('Fee, 7% for 15 days');
  await picture(page, 'more-time-accept');
  await dialog.getByRole('button', { name: 'Agree and accept' }).click();
  await expect(panelOf(page)).toContainText('Pay back UGX 856,000 by');
  await expect(panelOf(page).getByRole('button', { name: 'Ask for more time' })).toHaveCount(0);
}

async function repay(desk: Page, tag: string, amount: string, reference: string): Promise<void> {
  await visit(desk, '/desk?job=collect');
  await visit(desk, `/desk/${tag}`);
  await payments(desk).getByRole('button', { name: 'Record repayment' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByLabel('Reference').fill(reference);
  await dialog.getByRole('button', { name: 'Record repayment' }).click();
  await expect(dialog).toHaveCount(0);
}
