import { act, newSubmission } from '#e2e/support/arrange.ts';
import { expect, logIn, signIn, test, visit } from '#e2e/support/fixtures.ts';

/**
 * The approve dialog repeats the facts against a case, and a possible duplicate stops it until an officer acknowledges
 * it.
 */

test.use({ world: 'pdf viewer' });
test.describe.configure({ mode: 'default' });

test('the approve dialog repeats every warning of the facts, and opens once each possible duplicate is acknowledged', async ({
  page,
}) => {
  await signIn(page, '0700000002');
  const first = await newSubmission(page);
  const { tag, number } = await newSubmission(page);
  await signIn(page, 'staff@kasente.test');
  await act(page, `desk/cases/${tag}/start_review`);
  await page.context().clearCookies();
  await logIn(page, 'staff@kasente.test');
  await visit(page, `/desk/${tag}`);
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
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Acknowledge' }).first().click();
  const acknowledging = page.getByRole('dialog', { name: 'Acknowledge this possible duplicate?' });
  for (const box of await acknowledging.getByRole('checkbox').all()) await box.check();
  const send = acknowledging.getByRole('button', { name: 'Acknowledge' });
  await send.click();
  await expect(acknowledging.getByText('Say in a few words why this can continue')).toBeVisible();
  await acknowledging.getByLabel('Why this is not a duplicate').fill('Two deliveries with one photo of the gate');
  await send.click();
  await expect(acknowledging).toHaveCount(0);
  await expect(page.getByText(/Acknowledged by Peter Okello, .*: Two deliveries with one photo/).first()).toBeVisible();
  await expect(warnings.getByText(/^Possible duplicate/)).toHaveCount(0);
  await page.keyboard.press('a');
  await expect(approve).toBeEnabled();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('buyer, face value and advance stand above the decision', async ({ page }) => {
    await signIn(page, '0700000002');
    const { tag } = await newSubmission(page);
    await page.context().clearCookies();
    await logIn(page, 'staff@kasente.test');
    await visit(page, `/desk/${tag}`);
    const top = async (text: string) => (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? 0;
    await expect(page.getByRole('heading', { name: 'Decision' })).toBeVisible();
    const decision = (await page.getByRole('heading', { name: 'Decision' }).boundingBox())?.y ?? 0;
    for (const label of ['Buyer', 'Face value', 'Advance, 30 days', 'Client receives', 'Buyer should pay']) {
      expect(await top(label), label).toBeLessThan(decision);
      expect(await top(label), label).toBeGreaterThan(0);
    }
  });
});
