import { newDraft, uploadTo } from '#e2e/support/arrange.ts';
import { expect, logIn, test } from '#e2e/support/fixtures.ts';
import { choosePhoto } from '#e2e/support/forms.ts';

/** A phone on the local network uses plain http, where the browser withholds APIs that it reserves for secure pages. */

test('log in, save, upload and submit without the APIs of secure pages', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['randomUUID', 'subtle']) Reflect.deleteProperty(Crypto.prototype, name);
  });
  await logIn(page, '0700000001');
  const draft = await newDraft(page);
  for (const type of ['Invoice copy', 'Proof of delivery or completed work']) await uploadTo(page, draft, type);
  await page.goto(`/invoice-discounting-application/${draft.tag}`);
  expect(await page.evaluate(() => 'randomUUID' in crypto)).toBe(false);
  await page.getByLabel('Amount applied for').fill('800000');
  await expect(page.getByText('Your Application was saved successfully. You can edit or submit.')).toBeVisible();

  await page.getByRole('button', { name: 'Upload Contract or purchase order' }).click();
  await choosePhoto(page, () => page.getByRole('button', { name: 'Choose File', exact: true }).click());
  await page.getByRole('button', { name: 'Upload Document' }).click();
  await expect(page.getByText('Contract or purchase order was uploaded successfully')).toBeVisible();

  await page.getByRole('button', { name: 'Submit Application' }).click();
  await page.getByRole('button', { name: 'Agree and submit' }).click();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
});
