import { expect, signIn, test } from '#e2e/fixtures.ts';

/** The fields of Update Person as they are first shown (specification, section 2). */

test("'N/A' is no name, and an e-mail that somebody logs in with is read-only", async ({ page }) => {
  await page.route('**/api/v1/persons', async (route) => {
    const response = await route.fetch();
    const rows = await response.json();
    const unnamed = rows.map((row: object) => ({ ...row, first_name: 'N/A', last_name: 'N/A' }));
    await route.fulfill({ response, json: unnamed });
  });
  await signIn(page, 'staff@kasente.test');
  await page.goto('/home');
  await page.getByRole('button', { name: 'Activate newcomer@kasente.test', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Person' });
  await expect(dialog.getByLabel('First name')).toHaveValue('');
  await expect(dialog.getByLabel('Last name')).toHaveValue('');
  await expect(dialog.getByLabel('Designation')).toBeEditable();
  await expect(dialog.getByLabel('Phone')).toBeEditable();
  await expect(dialog.getByLabel('Email')).toHaveValue('newcomer@kasente.test');
  await expect(dialog.getByLabel('Email')).not.toBeEditable();
  await expect(page.getByText('N/A')).toHaveCount(0);
});
