import { approve, largeTerms, newSubmission, onDesk, type Tagged, typeIdsOf, uploadTo } from '#e2e/support/arrange.ts';
import { firstRow, get, post, put } from '#e2e/support/calls.ts';
import { expectByItself } from '#e2e/support/clock.ts';
import { officer, preparePayout } from '#e2e/support/desk.ts';
import { expect, PHONE, signIn, test } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/** An approval covers the facts that its dialog showed. If they change, the case needs another approval. */

test.use({ world: 'approvals' });
test.describe.configure({ mode: 'default' });

const ASKED = 'Contract or purchase order';

interface Business extends Tagged {
  readonly name: string;
  readonly industryId: number;
  readonly districtId: number;
  readonly isClient: boolean;
  readonly isBuyer: boolean;
}

test('the approve dialog repeats every warning about the facts, and opens once each possible duplicate is acknowledged', async ({
  page,
}) => {
  await signIn(page, '0700000002');
  const first = await newSubmission(page);
  const { tag, number } = await newSubmission(page);
  await signIn(page, 'staff@kasente.test');
  await page.goto(`/desk/${tag}`);
  const call = page.getByRole('region', { name: 'Check the invoice with the buyer' });
  await expect(call.getByRole('link', { name: '0700000002' })).toHaveAttribute('href', 'tel:0700000002');
  const warnings = page.getByRole('region', { name: 'Facts' }).getByRole('list', { name: 'Warnings' });
  await expect(warnings).toContainText(`Possible duplicate of ${first.number}, Jinja Agro Supplies Ltd: the same file`);
  const said = await warnings.getByRole('listitem').allTextContents();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Approve?' });
  await expect(dialog.getByRole('list', { name: 'Warnings' }).getByRole('listitem')).toHaveText(said);
  await expect(dialog).toContainText(
    `An advance of UGX 900,000 on invoice ${number} to Pearl Hotels Group, face value UGX 1,000,000.`,
  );
  const approve = dialog.getByRole('button', { name: 'Approve' });
  await expect(approve).toBeDisabled();
  await picture(page, 'desk-case-approve');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await call.getByRole('button', { name: 'Record the call' }).click();
  const acknowledging = page.getByRole('dialog', { name: 'Acknowledge this possible duplicate?' });
  for (const box of await acknowledging.getByRole('checkbox').all()) await box.check();
  const send = acknowledging.getByRole('button', { name: 'Acknowledge' });
  await send.click();
  await expect(acknowledging.getByText('Say in a few words why this can continue')).toBeVisible();
  await picture(page, 'desk-case-acknowledge');
  await acknowledging.getByLabel('Why this is not a duplicate').fill('Two deliveries with one photo of the gate');
  await send.click();
  await expect(acknowledging).toHaveCount(0);
  await expect(page.getByText(/Acknowledged by Peter Okello, .*: Two deliveries with one photo/).first()).toBeVisible();
  await expect(warnings.getByText(/^Possible duplicate/)).toHaveCount(0);
  await expect(call).toHaveCount(0);
  await page.keyboard.press('a');
  await expect(approve).toBeEnabled();
});

test.describe('on a phone', () => {
  test.use({ viewport: PHONE });

  test('buyer, face value and advance are shown above the decision', async ({ page }) => {
    await signIn(page, '0700000002');
    const { tag } = await newSubmission(page);
    await signIn(page, 'staff@kasente.test', `/desk/${tag}`);
    const top = async (text: string) => (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? 0;
    await expect(page.getByRole('heading', { name: 'Decision' })).toBeVisible();
    const decision = (await page.getByRole('heading', { name: 'Decision' }).boundingBox())?.y ?? 0;
    for (const label of ['Buyer', 'Face value', 'Advance, 30 days', 'Client receives', 'Coverage']) {
      expect(await top(label), label).toBeLessThan(decision);
      expect(await top(label), label).toBeGreaterThan(0);
    }
  });
});

test('the officer who reactivated the client after the approval approves again, and the approver releases', async ({
  page,
}) => {
  await signIn(page, '0700000002');
  const application = await newSubmission(page);
  const first = await officer(page);
  await approve(first, application);
  await preparePayout(first, application);
  const second = await officer(page, 'admin@kasente.test');
  const { tag, name, industryId, districtId, isClient, isBuyer } = await firstRow<Business>(
    second,
    'businesses/paged',
    'Jinja Agro',
  );
  for (const [by, active] of [
    [first, false],
    [second, true],
  ] as const)
    await put(by, `businesses/${tag}`, { name, industryId, districtId, isClient, isBuyer, active });

  await page.clock.install();
  await signIn(page, 'admin@kasente.test', `/desk/${application.tag}`);
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments).toContainText(
    'You changed the client’s people or business after the approval. Another officer must pay it out.',
  );
  await expect(payments.getByRole('button', { name: 'Release payout' })).toBeDisabled();
  const decision = page.getByRole('region', { name: 'Decision' });
  await expect(decision).toContainText('This case takes two approvals now. Another officer must approve it first.');
  await picture(page, 'desk-case-second-approval-needed');
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
  await expectByItself(page, payments.getByText('You prepared this payout. Another officer must release it.'));
  const { payOutRefusal } = await get<{ payOutRefusal: string | null }>(first, `desk/cases/${application.tag}`);
  expect(payOutRefusal).toBeNull();
});

test('a document replaced after the first approval voids it, and two officers approve again', async ({ page }) => {
  await signIn(page, '0700000002');
  const application = await newSubmission(page, largeTerms);
  const { tag } = application;
  const first = await officer(page);
  await approve(first, application);
  const second = await officer(page, 'admin@kasente.test');
  const typeIds = await typeIdsOf(second, application, [ASKED]);
  await onDesk(second, application, 'request_information', { question: 'The signature cannot be read.', typeIds });
  await uploadTo(page, application, ASKED);
  await post(page, `applications/${tag}/answer`, { answer: 'Here it is again.' });

  await page.clock.install();
  await signIn(page, 'admin@kasente.test', `/desk/${tag}`);
  const decision = page.getByRole('region', { name: 'Decision' });
  await expect(decision).toContainText(
    'A document was replaced, so the first approval no longer counts. It is needed again.',
  );
  await picture(page, 'desk-case-first-approval-void');
  await decision.getByRole('button', { name: 'Approve (first of two)' }).click();
  const dialog = page.getByRole('dialog', { name: 'First of two approvals' });
  await dialog.getByRole('button', { name: 'Give First Approval' }).click();
  await expect(page.getByRole('alert').getByText('has its first approval')).toBeVisible();
  await page.getByRole('link', { name: 'Back to it' }).click();
  await expect(decision).toContainText('First approval by you');
  await expect(decision).not.toContainText('no longer counts');
  await onDesk(first, application, 'approve');
  const happened = page.getByRole('region', { name: 'What happened' }).getByRole('listitem');
  await expectByItself(page, happened.filter({ hasText: /^Approved/ }));
  await expect(happened).toContainText([
    'Submitted',
    'First approval',
    'Information requested',
    'First approval cancelled: a document was replaced',
    'Client answered',
    'First approval',
    'Approved',
  ]);
});
