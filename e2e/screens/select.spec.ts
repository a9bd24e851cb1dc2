import { expectNoViolations } from '#e2e/support/accessible.ts';
import { expect, logIn, PHONE, test } from '#e2e/support/fixtures.ts';
import { hydrated } from '#e2e/support/forms.ts';

/** An open select with more options than fit. */

test('a long list is accessible, and the arrows bring each option into view', async ({ page }) => {
  await page.goto('/signup');
  await hydrated(page);
  const field = page.getByRole('combobox', { name: 'District/Location' });
  await field.click();
  const list = page.getByRole('listbox');
  await expect(list.getByRole('option').first()).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page, `an open select, ${colorScheme}`);
  }

  const last = list.getByRole('option').last();
  await expect(last).not.toBeInViewport();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(last).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(list).toBeHidden();
  await expect(field).not.toHaveValue('');
});

test('a list that opens above its field leaves the label visible', async ({ page }) => {
  await logIn(page, '0700000001');
  await page.setViewportSize(PHONE);
  await page.getByRole('link', { name: 'Apply Now' }).click();
  const field = page.getByRole('combobox', { name: 'Buyer' });
  const above = page.locator('[data-position^=top]').getByRole('listbox');
  // Measured again while the page is still loading: parts above the field move it.
  const opensAbove = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await page.evaluate(() => window.scrollTo(0, 0));
    const { y = 0, height = 0 } = (await field.boundingBox()) ?? {};
    // A screen size that leaves too little room below the field, whatever is above the form.
    await page.setViewportSize({ width: 360, height: Math.round(y + height) + 150 });
    await field.click();
    await expect(above).toBeVisible({ timeout: 5000 });
  };
  await expect(opensAbove).toPass();
  const label = page.locator('label', { hasText: /^Buyer$/ });
  await label.click({ trial: true });
});
