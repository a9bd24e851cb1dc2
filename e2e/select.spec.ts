import { expectAccessible } from '#e2e/accessible.ts';
import { takenOver } from '#e2e/arrange.ts';
import { expect, test } from '#e2e/fixtures.ts';

/** A select with more options than fit, while it is open. */

test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a long list is accessible, and the arrows bring each option into view: ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/signup');
    await takenOver(page);
    const field = page.getByRole('combobox', { name: 'District/Location' });
    await field.click();
    const list = page.getByRole('listbox');
    await expect(list.getByRole('option').first()).toBeVisible();
    await expectAccessible(page, 'an open select');

    const last = list.getByRole('option').last();
    await expect(last).not.toBeInViewport();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await expect(last).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(list).toBeHidden();
    await expect(field).not.toHaveValue('');
  });
}
