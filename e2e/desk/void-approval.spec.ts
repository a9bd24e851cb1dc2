import { act, newSubmission, uploadTo } from '#e2e/support/arrange.ts';
import { officer, preparePayout } from '#e2e/support/desk.ts';
import { expect, logIn, signIn, test, visit } from '#e2e/support/fixtures.ts';

/** A payout needs the approved facts: a change since then needs another approval. */

test.use({ world: 'approvals' });
test.describe.configure({ mode: 'default' });

/** Above what one officer approves alone. */
const largeTerms = {
  amount: 30_000_000,
  amountAppliedFor: 25_000_000,
  feesCharged: 2_750_000,
  amountReceived: 22_250_000,
} as const;
const ASKED = 'Contract or purchase order';

interface Business {
  readonly tag: string;
  readonly name: string;
  readonly industryId: number;
  readonly districtId: number;
  readonly isClient: boolean;
  readonly isBuyer: boolean;
}

test('the officer who brought the client back after the approval approves again, and the approver releases', async ({
  page,
  kasente,
}) => {
  await signIn(page, '0700000002');
  const application = await newSubmission(page);
  const first = await officer(page, kasente);
  await first.review(application);
  await first.onDesk(application, 'approve');
  await preparePayout(first, application);
  const second = await officer(page, kasente, 'admin@kasente.test');
  const { tag, name, industryId, districtId, isClient, isBuyer } = await second.firstRow<Business>(
    '/businesses/paged',
    'Jinja Agro',
  );
  for (const [by, active] of [
    [first, false],
    [second, true],
  ] as const)
    await by.put(`/businesses/${tag}`, { name, industryId, districtId, isClient, isBuyer, active });

  await page.context().clearCookies();
  await logIn(page, 'admin@kasente.test');
  await visit(page, `/desk/${application.tag}`);
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments).toContainText(
    'You changed the client’s people or business after the approval. Another officer must pay it out.',
  );
  await expect(payments.getByRole('button', { name: 'Release payout' })).toBeDisabled();
  const decision = page.getByRole('region', { name: 'Decision' });
  await expect(decision).toContainText('This case takes two approvals now. Another officer must approve it first.');
  await decision.getByRole('button', { name: 'Approve (second of two)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Second approval' });
  await expect(dialog).toContainText('This case takes two approvals. After yours, the client can be paid.');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('alert').getByText('was approved')).toBeVisible();

  await page.getByRole('link', { name: 'Back to it' }).click();
  await payments.getByRole('button', { name: 'Cancel payout' }).click();
  const cancelling = page.getByRole('dialog', { name: 'Cancel this payout?' });
  await cancelling.getByLabel('Reason').fill('Somebody else has approved it since');
  await cancelling.getByRole('button', { name: 'Cancel this payout' }).click();
  await expect(payments.getByRole('button', { name: 'Prepare payout' })).toBeEnabled();
  await preparePayout(second, application);
  await expect(payments).toContainText('You prepared this payout. Another officer must release it.');
  const { payOutRefusal } = await first.get<{ payOutRefusal: string | null }>(`/desk/cases/${application.tag}`);
  expect(payOutRefusal).toBeNull();
});

test('a document replaced after the first approval voids it, and two officers approve again', async ({
  page,
  kasente,
}) => {
  await signIn(page, '0700000002');
  const application = await newSubmission(page, largeTerms);
  const { tag } = application;
  const first = await officer(page, kasente);
  await first.review(application);
  await first.onDesk(application, 'approve');
  const second = await officer(page, kasente, 'admin@kasente.test');
  await second.onDesk(application, 'take');
  const types = await second.get<{ type: string; typeId: number }[]>(`/invoices/documents/${tag}`);
  const typeIds = types.filter(({ type }) => type === ASKED).map(({ typeId }) => typeId);
  await second.onDesk(application, 'request_information', { question: 'The signature cannot be read.', typeIds });
  await uploadTo(page, application, ASKED);
  await act(page, `applications/${tag}/answer`, { answer: 'Here it is again.' });

  await page.context().clearCookies();
  await logIn(page, 'admin@kasente.test');
  await visit(page, `/desk/${tag}`);
  const decision = page.getByRole('region', { name: 'Decision' });
  await expect(decision).toContainText(
    'A document was replaced, so the first approval no longer counts. It is needed again.',
  );
  await decision.getByRole('button', { name: 'Approve (first of two)' }).click();
  const dialog = page.getByRole('dialog', { name: 'First of two approvals' });
  await dialog.getByRole('button', { name: 'Give First Approval' }).click();
  await expect(page.getByRole('alert').getByText('has its first approval')).toBeVisible();
  await page.getByRole('link', { name: 'Back to it' }).click();
  await expect(decision).toContainText('First approval by you');
  await expect(decision).not.toContainText('no longer counts');
  await first.onDesk(application, 'take');
  await first.onDesk(application, 'approve');
  // A colleague's action appears by itself.
  await expect(page.getByRole('region', { name: 'What happened' }).getByRole('listitem')).toContainText([
    'Submitted',
    'Review started',
    'First approval',
    'Information requested',
    'First approval cancelled: a document was replaced',
    'Client answered',
    'First approval',
    'Approved',
  ]);
});
