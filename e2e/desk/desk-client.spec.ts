import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScrolling, expectNoViolations } from '#e2e/support/accessible.ts';
import { approve, type Draft, newReadyDraft, newSubmission, onDesk, openNew, review } from '#e2e/support/arrange.ts';
import { get, post } from '#e2e/support/calls.ts';
import { askClient, officer, payOut } from '#e2e/support/desk.ts';
import { expect, kampalaDay, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { choosePhoto, fillInvoice } from '#e2e/support/forms.ts';
import { answerInstead, hold } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * The decision desk from the client's side: what they agree to, what we promise, and what happens to an application.
 */

const CLIENT = '0700000002';

function open(page: Page, { tag }: Draft) {
  return visit(page, `/invoice-discounting-application/${tag}`);
}

/** The panel above the record, with the current state. */
const panel = (page: Page) => page.getByRole('region', { name: 'What happens now' });
/** The card below the record, with the steps and letters. */
const history = (page: Page) => page.getByRole('region', { name: 'What happened' });

/** Returns to the window, which then shows changes made meanwhile. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

async function submitted(page: Page, username = CLIENT): Promise<Draft> {
  await logIn(page, username);
  return newSubmission(page);
}

async function asked(page: Page, typeNames: readonly string[], username = CLIENT) {
  const application = await submitted(page, username);
  const staff = await askClient(page, application, typeNames);
  return { application, staff };
}

test('the key facts are read, again after a change, and agreed to; then the deadline of the decision is shown', async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  const application = await openNew(page, CLIENT, newReadyDraft);
  const submit = page.getByRole('button', { name: 'Submit Application' });
  await expect(submit).toBeEnabled();
  await submit.click();
  const dialog = page.getByRole('dialog', { name: 'Submit this application?' });
  await expect(dialog.getByText('UGX 801,000', { exact: true })).toBeVisible();
  for (const fact of [
    '900,000',
    '99,000',
    '12.4%',
    '30 days',
    'We send it to Airtel ••• 912, Moses Waiswa.',
    'it is not financed elsewhere',
    'You cannot change the invoice',
  ])
    await expect(dialog).toContainText(fact);
  await expect(dialog).toContainText(/Pay back UGX 900,000 by \d+ [A-Z][a-z]{2} \d{4}/);
  // A period that is no longer offered is not compared.
  await expect(dialog).not.toContainText('15 days');
  // The dialog fills a phone's screen.
  const width = await page.evaluate(() => document.body.clientWidth);
  expect(await dialog.boundingBox()).toMatchObject({ x: 0, y: 0, width, height: PHONE.height });
  await expectAccessible(page, 'key-facts');
  await expectNoSidewaysScrolling(page, 'key facts');

  const answerAgain = await answerInstead(page, `applications/${application.tag}/submit`, 409, {
    success: false,
    code: 'KEY_FACTS_CHANGED',
    msg: 'The key facts have changed. Read them again before you submit',
  });
  const loaded = page.waitForResponse(/key_facts$/);
  await dialog.getByRole('button', { name: 'Agree and submit' }).click();
  await loaded;
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText('The key facts have changed since you opened this.');
  await expect(alert).toBeFocused();
  await picture(page, 'key-facts-changed');
  await answerAgain();

  const sent = page.waitForRequest(/\/submit$/);
  await dialog.getByRole('button', { name: 'Agree and submit' }).click();
  expect((await sent).postDataJSON()).toEqual({ keyFactsVersion: expect.stringMatching(/^\d+-[0-9a-f]{16}$/) });
  await expect(page.getByText('Submitted for Processing')).toHaveCount(1);
  await expect(
    panel(page).getByText(/^We'll decide by \d\d:\d\d (today|tomorrow|on [A-Z][a-z]{2} \d+ [A-Z][a-z]{2})$/),
  ).toBeVisible();
  await expect(panel(page).getByText(/of working time left/)).toBeVisible();
  await expect(panel(page).getByRole('listitem')).toHaveText([
    'Sent',
    'CheckedKasente',
    'Approved',
    'Cash',
    'Paid back',
  ]);
  await expect(panel(page).getByRole('listitem').and(page.locator('[aria-current=step]'))).toHaveText('CheckedKasente');
  await expect(history(page).getByRole('listitem')).toHaveText([
    /^Submitted\d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d · Waiswa Moses$|^Submitted.*Moses/,
  ]);
  await expect(page.getByText('Pearl Hotels Group')).toBeVisible();
  const letter = await page.request.get(
    (await history(page).getByRole('link', { name: 'Key facts (PDF)' }).getAttribute('href')) ?? '',
  );
  expect(letter.headers()['content-type']).toBe('application/pdf');
  await expectNoViolations(page, 'submitted');
  await expectNoSidewaysScrolling(page, 'submitted');
});

test('a decision appears by itself and is announced to screen readers', async ({ page }) => {
  const application = await openNew(page, CLIENT, newSubmission);
  await expect(panel(page).getByText(/^We'll decide by/)).toBeVisible();
  const staff = await officer(page);
  await approve(staff, application);
  const background = page.waitForRequest((request) => request.url().endsWith('/progress'));
  await comeBack(page);
  expect((await background).headers()['x-background']).toBe('1');
  await expect(panel(page)).toContainText('Approved: UGX 801,000 to you');
  await expect(panel(page).getByRole('status')).toHaveText('The application is now: Approved');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(history(page).getByRole('link', { name: 'Offer letter (PDF)' })).toBeVisible();
  await expectAccessible(page, 'approved');

  const releaser = await officer(page, 'admin@kasente.test');
  await payOut({ preparer: staff, releaser }, application, 'MM-4711');
  await comeBack(page);
  await expect(panel(page)).toContainText(/Pay back UGX 900,000 by \d+ [A-Z][a-z]{2}/);
  await expect(panel(page).getByRole('list', { name: 'Payments' })).toContainText(
    /Paid out to you.*Airtel Money · MM-4711.*801,000/,
  );
  await expectAccessible(page, 'paid-out');
  await post(staff, `applications/${application.tag}/receipts`, {
    method: 'airtel',
    reference: `MM-${application.tag.slice(0, 8)}`,
    date: kampalaDay(),
    amount: 1_000_000,
    payer: 'buyer',
  });
  await comeBack(page);
  await expect(panel(page)).toContainText('Fully paid back');
  await expect(panel(page)).toContainText("Your buyer paid UGX 100,000 extra; we'll send it to you.");
  await expectAccessible(page, 'settled-with-extra');
});

test('the question is shown first; a typed answer survives a reload, and is sent with a document', async ({ page }) => {
  const { application } = await asked(page, ['Bank statement']);
  await open(page, application);
  await expect(panel(page)).toContainText('We need something from you');
  await expect(panel(page)).toContainText('Which account is it paid to?');
  // Within working hours a minute may have passed before it was asked.
  await expect(panel(page)).toContainText(
    /The clock is paused\. We decide within (?:4 working hours|3 working hours 5\d minutes) of your answer\./,
  );
  const send = panel(page).getByRole('button', { name: 'Send answer' });
  await expect(send).toBeDisabled();
  await expect(panel(page).getByText('Missing: Bank statement, or a written answer')).toBeVisible();
  // Only the requested document can be changed.
  await expect(page.getByRole('button', { name: 'Upload Bank statement' })).toHaveCount(2);
  await expect(page.getByRole('button', { name: /^Options for|^Upload Other/ })).toHaveCount(0);
  await expectAccessible(page, 'information-requested');

  await panel(page).getByLabel('Your answer').fill('To the account in the statement.');
  await page.reload();
  await expect(panel(page).getByLabel('Your answer')).toHaveValue('To the account in the statement.');
  // The documents have loaded, so that the dialog opens at once.
  await expect(page.getByRole('button', { name: 'Upload Bank statement' })).toHaveCount(2);

  await panel(page).getByRole('button', { name: 'Upload Bank statement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload Bank statement' });
  await choosePhoto(page, () => dialog.getByRole('button', { name: 'Choose File' }).click());
  await dialog.getByRole('button', { name: 'Upload Document' }).click();
  await expect(dialog).toBeHidden();
  await expect(panel(page).getByRole('button', { name: 'Replace Bank statement' })).toBeVisible();
  await page.getByRole('button', { name: 'Options for Bank statement' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['View', 'Replace']);
  await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  // The documents alone are an answer too.
  await panel(page).getByLabel('Your answer').fill('');
  await expect(send).toBeEnabled();
  await panel(page).getByLabel('Your answer').fill('To the account in the statement.');

  await send.click();
  await expect(panel(page).getByText(/^We'll decide by/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(panel(page)).toContainText('We have your answer.');
  await expect(history(page)).toContainText('To the account in the statement.');
  await expect(page.getByRole('button', { name: 'Options for Bank statement' })).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('UNSENT_ANSWER'))).toBeNull();
});

test('an answer in two lines is sent, and both sides read two lines', async ({ page }) => {
  const { application } = await asked(page, []);
  await open(page, application);
  const answer = panel(page).getByLabel('Your answer');
  const send = panel(page).getByRole('button', { name: 'Send answer' });
  await answer.fill('A bell\u0007');
  await send.click();
  await expect(answer).toHaveAccessibleDescription('Remove characters that cannot be printed');
  await expect(panel(page).getByRole('alert')).toHaveCount(0);
  await answer.fill('');
  await answer.pressSequentially('It was signed on 3 May.');
  await answer.press('Enter');
  await answer.pressSequentially('The stamp follows.');
  await send.click();
  const said = (shown: Page) => shown.getByRole('listitem').getByText('It was signed on 3 May.');
  await expect(said(page)).toBeVisible();
  expect(await said(page).innerText()).toBe('It was signed on 3 May.\nThe stamp follows.');
  await logIn(page, 'staff@kasente.test', { to: `/desk/${application.tag}` });
  await expect(said(page)).toBeVisible();
  expect(await said(page).innerText()).toBe('It was signed on 3 May.\nThe stamp follows.');
});

test('a client withdraws only after a question', async ({ page }) => {
  const application = await openNew(page, CLIENT, newSubmission);
  const withdraw = history(page).getByRole('button', { name: 'Withdraw application' });
  const dialog = page.getByRole('dialog', { name: 'Withdraw this application?' });
  await withdraw.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(withdraw).toBeFocused();
  await withdraw.click();
  const letGo = await hold(page, `**/api/v1/applications/${application.tag}/withdraw`, 'POST');
  await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
  // While it is being sent, it cannot be left without learning how it ended.
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeDisabled();
  await picture(page, 'withdraw');
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  letGo();
  await expect(dialog).toHaveCount(0);
  await expect(panel(page)).toContainText('You withdrew this application');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(withdraw).toHaveCount(0);
  await expectAccessible(page, 'withdrawn');
});

test('a declined application shows the reason and the next step', async ({ page }) => {
  const application = await submitted(page);
  const staff = await officer(page);
  await review(staff, application);
  await onDesk(staff, application, 'decline', { reason: 'documents', note: 'The delivery note is not signed.' });
  await open(page, application);
  await expect(panel(page)).toContainText('The documents do not show that the work was done and accepted.');
  await expect(panel(page).getByRole('blockquote')).toHaveText('The delivery note is not signed.');
  await expectAccessible(page, 'declined');
  await panel(page).getByRole('link', { name: 'New Application' }).click();
  await expect(page).toHaveURL(/\/application\/start$/);
});

test('an amount above the limit is refused while typing, and again at submission with the figure', async ({ page }) => {
  await logIn(page, CLIENT);
  const application = await newReadyDraft(page);
  const admin = await officer(page, 'admin@kasente.test');
  const [ugx] = await get<[{ currencyId: number; limit: number; available: number }]>(page, 'limits/own');
  const businessTag = (await get<{ user: { bizTag: string } }>(page, 'users/session')).user.bizTag;
  const setLimit = (limit: number, reason: string) =>
    post(admin, `businesses/${businessTag}/limits`, { currencyId: ugx.currencyId, limit, reason });
  const staff = await officer(page);
  // A raise beyond the earned limit waits for another officer.
  const raise = async (limit: number, reason: string) => {
    await setLimit(limit, reason);
    const proposals = await get<{ tag: string; businessTag: string }[]>(staff, 'limits/proposals');
    const proposal = proposals.find((one) => one.businessTag === businessTag);
    await post(staff, `limits/proposals/${proposal?.tag}/confirm`);
  };
  await setLimit(ugx.limit - ugx.available + 899_999, 'A journey begins');
  await open(page, application);
  await expect(page.getByText('This is more than you can use of your funding limit.')).toBeVisible();
  const amount = page.getByLabel('Amount applied for');
  await expect(amount).toHaveAccessibleDescription(/You can use UGX\s899,999 of your funding limit of UGX\s[\d,]+\./);
  await expect(page.getByRole('button', { name: 'Use the most: 899,999', exact: true })).toBeEnabled();
  const submit = page.getByRole('button', { name: 'Submit Application' });
  await expect(submit).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Amount applied for (to correct)' })).toBeVisible();
  await expectAccessible(page, 'draft-above-the-limit');

  // The limit is lowered between opening the dialog and confirming.
  await raise(ugx.limit, 'It is raised');
  await page.reload();
  await submit.click();
  const dialog = page.getByRole('dialog', { name: 'Submit this application?' });
  await expect(dialog.getByText('UGX 801,000', { exact: true })).toBeVisible();
  await setLimit(ugx.limit - ugx.available + 100_000, 'It is lowered');
  await dialog.getByRole('button', { name: 'Agree and submit' }).click();
  await expect(dialog.getByRole('alert')).toContainText('You can use at most UGX 100,000 of your funding limit of');
  await raise(ugx.limit, 'The journey is over');
  await dialog.getByRole('link', { name: 'See your funding limit' }).click();
  const limits = page.getByRole('region', { name: 'Funding limit' });
  await expect(limits).toContainText(/You can use UGX\s[\d,]+ of your funding limit of UGX\s[\d,]+/);
  await expect(limits).toContainText(/\d of 3 applications paid back on time. Then we can raise your limit to UGX/);
  await expectAccessible(page, 'client-dashboard-limit');
});

test('the same invoice is refused at its number, without revealing anything about others', async ({ page }) => {
  const application = await submitted(page);
  await visit(page, '/application/start');
  await fillInvoice(page, application.number.toLowerCase());
  await expect(page.getByText('You already have an invoice with this number for this buyer').first()).toBeVisible();
  await expect(page).toHaveURL(/\/application\/start$/);
});

test('the dashboard quotes what the officer asks and leads to it, and each status can be listed', async ({ page }) => {
  // The other client has more requests by now than their home shows.
  const { application } = await asked(page, [], '0700000001');
  // Visible since the login.
  await comeBack(page);
  const row = page.getByRole('region', { name: /^For you to do/ }).getByRole('link', { name: application.number });
  await expect(row).toContainText('Which account is it paid to?');
  await expectAccessible(page, 'client-dashboard-question');
  await row.click();
  await expect(panel(page).getByLabel('Your answer')).toBeFocused();
  await expect(panel(page).getByLabel('Your answer')).toBeInViewport();
  await page.goBack();
  await expect(row).toBeVisible();
  const filter = page.getByRole('combobox', { name: 'Status of applications' });
  await filter.click();
  await page.getByRole('option', { name: 'Info Requested' }).click();
  await expect(page.getByRole('row').filter({ hasText: application.number })).toBeVisible();
});
