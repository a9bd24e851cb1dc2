import { expect, test } from './fixtures.ts';

/** A journey fails on a warning or an error of any page. */

test.describe('an error on a page', () => {
  test.use({ provoked: [/planted/] });

  test('is recorded in every context, including uncaught faults and excluding refused calls', async ({
    browser,
    page,
    complaints,
  }) => {
    const other = await browser.newPage();
    for (const tab of [page, other]) {
      await tab.goto('/login');
      await tab.evaluate(() => {
        console.info('planted information');
        console.warn('planted warning');
        console.error('planted error');
        console.warn('LOGIN_FAILED: planted');
        setTimeout(() => {
          throw new Error('planted fault');
        });
      });
    }
    const heard = ['planted warning', 'planted error', 'Error: planted fault'];
    await expect.poll(() => complaints.toSorted()).toEqual([...heard, ...heard].toSorted());
  });
});

test.describe('a page with an error', () => {
  test.fail();

  test('fails its journey', async ({ page }) => {
    await page.goto('/login');
    await page.evaluate(() => console.warn('planted warning'));
  });
});
