import { newSubmission } from '#e2e/support/arrange.ts';
import { officer, payOut } from '#e2e/support/desk.ts';
import { expect, logIn, signIn, test, visit } from '#e2e/support/fixtures.ts';

/** What a colleague does to a case shows on every screen that has it open. */

// Nobody is activated or made an officer there, so that one officer approves and another releases.
test.use({ world: 'pdf viewer' });
test.describe.configure({ mode: 'default' });

test('a payment that a colleague records appears by itself', async ({ page, kasente }) => {
  await signIn(page, '0700000001');
  const application = await newSubmission(page);
  const colleague = await officer(page, kasente);
  const approver = await officer(page, kasente, 'admin@kasente.test');
  await approver.review(application);
  await approver.onDesk(application, 'approve');
  await page.clock.install();
  await logIn(page, 'admin@kasente.test');
  await visit(page, `/desk/${application.tag}`);
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments.getByText('No payments yet.')).toBeVisible();
  await payOut({ preparer: approver, releaser: colleague }, application, 'TT-1');
  await page.clock.runFor(10_000);
  await expect(payments.getByText('TT-1')).toBeVisible();
  await expect(payments.getByRole('button', { name: 'Record repayment' })).toBeVisible();
});
