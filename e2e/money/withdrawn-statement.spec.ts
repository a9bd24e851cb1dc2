import { expect, kampalaDay, logIn, test } from '#e2e/support/fixtures.ts';
import { repaymentReference, sendStatement } from '#e2e/support/money.ts';
import { picture } from '#e2e/support/pictures.ts';

/** A statement imported by mistake: everything based on it is undone first, then two officers withdraw it. */

test.use({ world: 'withdrawn-statement' });

const TODAY = kampalaDay();
const DAY = `/reconciliation?account=mtn&currency=UGX&day=${TODAY}`;

test('two officers withdraw a statement once its repayment is reversed, and the right one counts', async ({ page }) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk?job=collect&filter=overdue' });
  await page.getByRole('link', { name: /MCT 001/ }).click();
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments).toBeVisible();
  const address = page.url();
  const reference = await repaymentReference(page, address.split('/').at(-1)?.split('?')[0] ?? '');

  await page.getByRole('link', { name: 'Received Money' }).click();
  const file = (amount: number) =>
    `Id,Date,Status,From,From name,Message,Amount,Currency\n77,${TODAY},Successful,256772000111,MULAGO,pay ${reference},${amount},UGX\n`;
  await sendStatement(page, file(40_000));
  await expect(page.getByText('1 line: 1 matched')).toBeVisible();

  const imports = page.getByRole('region', { name: 'Last imports' });
  const dialog = page.getByRole('dialog');
  const newest = imports.getByRole('listitem').first();
  await newest.getByRole('button', { name: /^Withdraw statement\.csv/ }).click();
  await expect(dialog).toContainText('Reverse these repayments first');
  await expect(dialog.getByRole('button', { name: 'Propose to withdraw it' })).toBeDisabled();
  await picture(page, 'received-money-withdraw-blocked');
  await dialog.getByRole('link', { name: /MCT 001, UGX 40,000/ }).click();
  await payments.getByRole('button', { name: /^Reverse this payment: .*reference 77$/ }).click();
  await dialog.getByLabel('Reason').fill('It came with a wrong statement');
  await dialog.getByRole('button', { name: 'Reverse this payment' }).click();
  await expect(dialog).toHaveCount(0);

  await page.getByRole('link', { name: 'Received Money' }).click();
  await newest.getByRole('button', { name: /^Withdraw statement\.csv/ }).click();
  await dialog.getByLabel('Reason').fill('It is of another account');
  await dialog.getByRole('button', { name: 'Propose to withdraw it' }).click();
  await expect(newest).toContainText('proposes to withdraw this');
  await expect(newest.getByRole('button', { name: 'Withdraw it' })).toBeDisabled();
  await picture(page, 'received-money-withdraw-proposed');

  await logIn(page, 'admin@kasente.test', { to: DAY });
  const ofDay = page
    .getByRole('region', { name: /^Statements of/ })
    .getByRole('listitem')
    .first();
  await ofDay.getByRole('button', { name: 'Withdraw it' }).click();
  await dialog.getByRole('button', { name: 'Withdraw it' }).click();
  await expect(ofDay).toContainText('It is of another account');
  await expect(ofDay).toContainText('Withdrawn by');
  await picture(page, 'reconciliation-withdrawn');

  await page.goto('/received-money');
  await sendStatement(page, file(50_000));
  await expect(page.getByText('1 line: 1 matched, 0 to assign, 0 counted before.')).toBeVisible();
  await page.goto(address);
  await expect(payments.getByRole('table')).toContainText('50,000');
});
