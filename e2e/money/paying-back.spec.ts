import { newReadyDraft } from '#e2e/support/arrange.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';
import { openOwn } from '#e2e/support/money.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * Repayment: what a late client sees first, what is blocked, how officers collect and what they record, and the journal
 * with all of it.
 */

test.use({ world: 'paying-back' });
test.describe.configure({ mode: 'default' });

const LATE = '0700000003';
const REFERENCE = /[ACDEFGHJKMNPRTVWXY34679]{4}-[ACDEFGHJKMNPRTVWXY34679]{4}/;

test('a client who is late sees it first, with how to pay, and cannot submit anything new', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-write']);
  await logIn(page, LATE);
  // The sum that is late, and behind 'Pay' where to pay the oldest.
  const owed = page.getByRole('region', { name: 'You owe' });
  await expect(owed).toContainText(/UGX 16,200,000Up to 1\d\d days late for 6 invoices/);
  await owed.getByRole('button', { name: 'Pay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay now' });
  await expect(dialog).toContainText('UGX 3,400,000 for MCT 001');
  await expect(dialog).toContainText('Pay to MTN MoMo merchant 123456');
  await expect(dialog).toContainText(REFERENCE);
  await page.keyboard.press('Escape');
  const late = /Overdue 1\d\d days · UGX 3,400,000/;
  const first = page
    .getByRole('region', { name: /^For you to do/ })
    .getByRole('link')
    .first();
  await expect(first).toHaveText(/^Pay UGX 3,400,000MCT 0011\d\d days late$/);

  await page.getByLabel('Search applications').fill('MCT 001');
  await expect(page.getByRole('row').filter({ hasText: 'MCT 001' })).toContainText(late);
  await first.click();
  await expect(page.locator('h1 + [data-status=disbursed]')).toHaveText(late);
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText(REFERENCE);
  await panel.getByRole('button', { name: /^Copy reference / }).click();
  await expect(panel.getByRole('button', { name: /^Copied: reference / })).toBeVisible();
  await picture(page, 'paid-out-overdue');

  // A new application says so before anything is typed.
  await visit(page, '/application/start');
  const refusal = page.getByRole('alert').filter({
    hasText: /Pay back UGX 7,200,000 for invoices MCT 001, MCT 098 and MCT 002\..+Begin with MCT 001\..+Reference: /,
  });
  await expect(refusal).toBeVisible();
  await page.getByRole('button', { name: 'Late payment' }).click();
  await expect(refusal).toBeFocused();
  await picture(page, 'new-application-blocked');
  const { tag } = await newReadyDraft(page);
  await visit(page, `/invoice-discounting-application/${tag}`);
  await expect(page.getByRole('button', { name: 'Submit Application' })).toBeDisabled();
  await refusal.getByRole('link', { name: 'See what to pay' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('MCT 001');
});

test('a client reports that their buyer will pay late, and the desk shows it', async ({ page }) => {
  await logIn(page, '0700000001');
  await openOwn(page, 'NT-2026-037');
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText('Pay early any time');
  await panel.getByRole('button', { name: 'My buyer will pay late' }).click();
  const dialog = page.getByRole('dialog', { name: 'My buyer will pay late' });
  await dialog.getByLabel('Why').fill('The hospital pays at the end of the quarter');
  await dialog.getByRole('button', { name: 'Tell Kasente' }).click();
  await expect(dialog.getByText('Say when your buyer will pay')).toBeVisible();
  await picture(page, 'paid-out-buyer-late');
  await dialog.getByLabel('Your buyer pays on').fill('5 Jan 2040');
  await dialog.getByRole('button', { name: 'Tell Kasente' }).click();
  await expect(panel).toContainText('You told us your buyer pays on 5 Jan 2040');

  await logIn(page, 'staff@kasente.test', { to: '/desk?job=collect&filter=disbursed' });
  await expect(page.getByRole('row').filter({ hasText: 'NT-2026-037' })).toContainText('buyer pays 5 Jan');
});

test('an officer collects in order of lateness, and records contact, promise and dispute', async ({ page }) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk?job=collect' });
  await page.getByRole('link', { name: /^8–30 days/ }).click();
  await expect(page).toHaveURL('/desk?job=collect&filter=days8To30');
  const row = page.getByRole('row').filter({ hasText: 'MCT 004' });
  await expect(row).toContainText('Call the buyer');
  await expect(row).toContainText('Promised: UGX 1,000,000');
  await row.getByRole('link', { name: /MCT 004/ }).click();

  const card = page.getByRole('region', { name: 'Paying back' });
  await expect(card).toContainText('8–30 days late');
  await picture(page, 'desk-case-overdue');
  // Whom to call comes first, with what they promised.
  const call = page.getByRole('region', { name: 'Call about the late payment' });
  await expect(call.getByRole('link', { name: '0700000003' })).toHaveAttribute('href', 'tel:0700000003');
  await expect(call).toContainText('Promised: UGX 1,000,000 by');
  await call.getByRole('button', { name: 'Record the call' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Record contact' }).click();
  await expect(dialog.getByText('Say what was agreed')).toBeVisible();
  await picture(page, 'desk-case-record-contact');
  await dialog.getByLabel('What was agreed').fill('The buyer has signed');
  await dialog.getByLabel('Next step', { exact: true }).fill('Wait for the transfer');
  await dialog.getByRole('button', { name: 'Record contact' }).click();
  await expect(card.getByRole('list', { name: 'What was said and done' })).toContainText('The buyer has signed');

  await card.getByRole('button', { name: 'Record' }).click();
  await page.getByRole('menuitem', { name: 'Buyer disputes' }).click();
  await dialog.getByLabel('What the buyer disputes').fill('Two crates were missing');
  await dialog.getByRole('button', { name: 'Record dispute' }).click();
  await expect(card).toContainText('The buyer disputes this invoice');
  await picture(page, 'desk-case-disputed');
  await logIn(page, LATE);
  await openOwn(page, 'MCT 004');
  await expect(page.getByText('Two crates were missing')).toBeVisible();
  await picture(page, 'paid-out-disputed');
});

test('an officer records a deduction once, and the client sees that they owe the same', async ({ page }) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk?job=collect&filter=disbursed' });
  await page.getByRole('link', { name: /NT-2026-037/ }).click();
  const payments = page.getByRole('region', { name: 'Payments' });
  const dialog = page.getByRole('dialog');
  const deduct = async (amount: string, certificate: string) => {
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByLabel('Certificate or note number').fill(certificate);
    await dialog.getByRole('button', { name: 'Record deduction' }).click();
  };
  await payments.getByRole('button', { name: 'Record deduction' }).click();
  await deduct('9000000000', 'WHT 4711');
  await expect(dialog.getByText('Enter what the buyer still owes on the invoice, or less')).toBeVisible();
  await deduct('60000', 'WHT 4711');
  await expect(dialog).toHaveCount(0);
  await expect(payments.getByRole('table')).toContainText('Withholding tax');
  await expect(payments).toContainText('Kept back by buyerUGX 60,000');
  await payments.getByRole('button', { name: 'Record deduction' }).click();
  await deduct('1000', 'wht4711');
  await expect(dialog.getByText('This number is recorded already')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await payments.getByRole('button', { name: 'Record repayment' }).click();
  await dialog.getByLabel('Amount').fill('900000000000');
  await dialog.getByLabel('Reference').fill('BK-9');
  await dialog.getByRole('button', { name: 'Record repayment' }).click();
  await expect(dialog.getByText('This is more than the whole invoice')).toBeVisible();
  await expect(dialog.getByLabel('The amount is right')).not.toBeChecked();
  await picture(page, 'desk-case-repayment-too-high');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await logIn(page, '0700000001');
  await openOwn(page, 'NT-2026-037');
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText('Your buyer kept back UGX 60,000. You still pay back the whole amount above.');
  await expect(panel).toContainText('Kept back by the buyer: withholding tax');
  await picture(page, 'paid-out-deducted');
});

test('two officers write off an advance, and its client still sees how to pay', async ({ page }) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk?job=collect&filter=overdue' });
  await page.getByRole('link', { name: /MCT 001/ }).click();
  const address = page.url();
  const payments = page.getByRole('region', { name: 'Payments' });
  const dialog = page.getByRole('dialog');
  await payments.getByRole('button', { name: 'Propose write-off' }).click();
  await dialog.getByRole('button', { name: 'Propose write-off' }).click();
  await expect(dialog.getByText('Say why it will not be paid back')).toBeVisible();
  await picture(page, 'desk-case-write-off');
  await dialog.getByLabel('Reason').fill('The buyer is bankrupt');
  await dialog.getByRole('button', { name: 'Propose write-off' }).click();
  await expect(payments.getByText('You proposed this. Another officer must confirm it.')).toBeVisible();
  await expect(payments.getByRole('button', { name: 'Confirm write-off' })).toBeDisabled();

  await logIn(page, 'admin@kasente.test');
  await page.goto(address);
  await payments.getByRole('button', { name: 'Confirm write-off' }).click();
  await dialog.getByRole('button', { name: 'Confirm write-off' }).click();
  await expect(payments).toContainText('UGX 3,400,000 is written off');
  await expect(payments.getByRole('table')).toContainText('Written off');
  await picture(page, 'desk-case-written-off');

  await logIn(page, '0700000003');
  await openOwn(page, 'MCT 001');
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText('We wrote off UGX 3,400,000 as not paid. You can still pay it.');
  await picture(page, 'paid-out-written-off');
});

test('two officers reverse a payout that was never sent, and the next payout shows that one first', async ({
  page,
}) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk?job=collect&filter=disbursed' });
  await page.getByRole('link', { name: /MCT 005/ }).click();
  const address = page.url();
  const payments = page.getByRole('region', { name: 'Payments' });
  const dialog = page.getByRole('dialog');
  await payments.getByRole('button', { name: /^Reverse this payment: Paid out/ }).click();
  await dialog.getByLabel('Reason').fill('Typed on the wrong case');
  await dialog.getByRole('button', { name: 'Propose reversal' }).click();
  await expect(payments.getByText('You proposed this. Another officer must confirm it.')).toBeVisible();
  await expect(payments.getByRole('button', { name: 'Confirm reversal' })).toBeDisabled();

  await logIn(page, 'admin@kasente.test');
  await page.goto(address);
  await payments.getByRole('button', { name: 'Confirm reversal' }).click();
  await dialog.getByRole('button', { name: 'Confirm reversal' }).click();
  await expect(payments.getByRole('cell', { name: 'Reversed', exact: true })).toBeVisible();
  const flag = page.getByRole('region', { name: 'This was paid before, and that payment was reversed' });
  await expect(flag).toContainText(/MM-\d+-\d+, UGX 1,335,000/);
  await picture(page, 'desk-case-reversed');
  await flag.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(dialog).toBeVisible();
});

test('an administrator follows the money from the trial balance to an application', async ({ page }) => {
  await logIn(page, 'admin@kasente.test');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Journal' }).click();
  const total = page.getByRole('table', { name: 'Trial balance in UGX' }).getByRole('row', { name: /^Total/ });
  await expect(total).toBeVisible();
  const [debit, credit] = await total.locator('[data-numeric]').allTextContents();
  expect(debit).toMatch(/^[\d,]+\.\d\d$/);
  expect(debit).toBe(credit);
  await picture(page, 'journal');

  await page.getByRole('link', { name: 'Advances to clients' }).first().click();
  await expect(page).toHaveURL('/journal?account=advances&currency=UGX');
  const first = page.getByRole('table', { name: 'Lines of the account' }).locator('tbody tr').first();
  await first.getByRole('link').last().click();
  await expect(page.getByRole('table', { name: 'Entries' })).toContainText('Fees not yet earned');
  await picture(page, 'journal-entries');
  await page.getByRole('link', { name: 'Open the case' }).click();
  await page.getByRole('region', { name: 'Payments' }).getByRole('link', { name: 'Journal' }).click();
  await expect(page).toHaveURL(/\/journal\?application=/);
});

test('an officer reads accounts, not the trial balance', async ({ page }) => {
  await logIn(page, 'staff@kasente.test', { to: '/journal' });
  await expect(page.getByRole('table', { name: 'Lines of the account' })).toBeVisible();
  await expect(page.getByText('Trial balance')).toHaveCount(0);
  await picture(page, 'journal-account');
});

test('on a phone every amount is beside its account, without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 2400 });
  await logIn(page, 'admin@kasente.test', { to: '/journal' });
  const balance = page.getByRole('table', { name: 'Trial balance in UGX' });
  const total = balance.getByRole('row', { name: /^Total/ });
  await expect(total.locator('[data-numeric]').last()).toBeInViewport({ ratio: 1 });
  await page.getByRole('link', { name: 'Advances to clients' }).first().click();
  const lines = page.getByRole('table', { name: 'Lines of the account' });
  await expect(lines.locator('tbody tr').first().locator('[data-numeric]').last()).toBeInViewport({ ratio: 1 });
  await lines.locator('tbody tr').first().getByRole('link').last().click();
  const entries = page.getByRole('table', { name: 'Entries' });
  await expect(entries.locator('tbody tr').first().locator('[data-numeric]').last()).toBeInViewport({ ratio: 1 });
});
