import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { post } from '#e2e/support/calls.ts';
import { expect, kampalaDay, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { bankStatement, repaymentReference, sendStatement } from '#e2e/support/money.ts';

/** A bank payment that arrives twice, and a reference shared by two applications. */

test.use({ world: 'same-payment' });

test('a line imported again with its reference counts once; a reference on two applications is confirmed', async ({
  page,
}) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk?job=collect&filter=overdue' });
  await page.getByRole('link', { name: /MCT 001/ }).click();
  await expect(page.getByRole('region', { name: 'Payments' })).toBeVisible();
  const tag = page.url().split('/').at(-1)?.split('?')[0] ?? '';
  const details = await repaymentReference(page, tag);

  await visit(page, '/received-money');
  await choose(page, 'Account', 'Bank');
  const line = { details, payer: 'MULAGO', credit: 1_000 };
  await sendStatement(page, bankStatement({ ...line, id: '' }));
  await expect(page.getByRole('status')).toContainText('1 matched');
  await sendStatement(page, bankStatement({ ...line, id: 'FT26331ABC' }));
  await expect(page.getByRole('status')).toContainText(
    '0 matched, 0 to assign, 0 counted before, 1 perhaps counted before',
  );
  const asked = page.getByRole('region', { name: 'The same payment?' });
  await expect(asked).toContainText('Counted on MCT 001');
  await expect(asked.getByRole('button', { name: 'Another payment' })).toBeDisabled();
  await expectAccessible(page, 'received-money-same-payment');
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScrolling(page, 'the same payment');
  await asked.getByRole('button', { name: 'Same payment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Same payment' }).click();
  await expect(asked).toContainText('said that it is the same payment');

  const receipt = { method: 'bank', date: kampalaDay(), payer: 'client', amount: 1_000 };
  await post(page, `applications/${tag}/receipts`, { ...receipt, reference: 'TT 77' });
  await visit(page, '/desk?job=collect&filter=overdue');
  await page.getByRole('link', { name: 'MCT 003' }).first().click();
  await page.getByRole('button', { name: 'Record repayment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('1000');
  await dialog.getByLabel('Reference').fill('TT-77');
  await dialog.getByRole('button', { name: 'Record repayment' }).click();
  await expect(dialog).toContainText(/This reference is on MCT 001 \(.*\), .* too/);
  await dialog.getByLabel('The reference is right').check();
  await expectAccessible(page, 'desk-case-reference-confirmed');
  await dialog.getByRole('button', { name: 'Record repayment' }).click();
  await expect(dialog).toHaveCount(0);
});
