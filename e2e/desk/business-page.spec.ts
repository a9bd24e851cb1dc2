import { expectNoSidewaysScrolling, expectNoViolations, inEachLook } from '#e2e/support/accessible.ts';
import { firstRow } from '#e2e/support/calls.ts';
import { expect, logIn, PHONE, test } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/** A business has a page of its own for staff; its name leads there. */

// The page counts applications, which other journeys add to the shared businesses.
test.use({ world: 'business-page' });

test('an officer goes from the queue to the buyer, to an application on its invoices, and back', async ({ page }) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk' });
  const first = page.getByRole('table', { name: 'Queue' }).locator('tbody').getByRole('row').first();
  const buyer = first.getByRole('cell').getByRole('link');
  const name = await buyer.innerText();
  await buyer.click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page).toHaveTitle(`${name} | Kasente`);
  await expect(page.getByRole('region', { name: 'Out on invoices to this buyer' })).toBeVisible();
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Businesses' })).toHaveAttribute('aria-current', 'page');
  const address = page.url();
  const bought = page.getByRole('table', { name: 'Applications as buyer' });
  const invoice = bought.getByRole('rowheader').first();
  const number = await invoice.innerText();
  await invoice.getByRole('link').click();
  await expect(page.getByText(number).first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(bought.getByRole('rowheader', { name: number })).toBeVisible();
});

test('an officer reads on a client’s page who acts for it, what is out, where cash goes, and what it applied for', async ({
  page,
}) => {
  await logIn(page, 'staff@kasente.test', { to: '/businesses' });
  await page.getByRole('link', { name: 'Nakasero Traders Ltd' }).click();
  const part = (name: string) => page.getByRole('region', { name });
  await expect(part('People')).toContainText('Sarah Nabirye');
  await expect(part('People')).toContainText('0700000001');
  await expect(part('Limits').getByRole('region', { name: 'UGX' })).toContainText(/Out\s*[\d,]+/);
  await expect(part('Payout accounts')).toContainText('MTN 0772345678');
  await expect(part('Applications as client').getByRole('rowheader')).toHaveCount(10);
  await expect(part('Applications as buyer')).toHaveCount(0);

  await page
    .getByRole('navigation', { name: 'Pages of Applications as client' })
    .getByRole('button', { name: 'Page 2' })
    .click();
  await page.reload();
  await expect(part('Applications as client').getByText('11–20 of 21', { exact: true })).toBeVisible();

  await part('Applications as client').getByRole('cell').getByRole('link').first().click();
  await expect(part('Applications as buyer').getByRole('rowheader').first()).toBeVisible();
  await part('Applications as buyer')
    .getByRole('cell')
    .getByRole('link', { name: 'Jinja Agro Supplies Ltd' })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Jinja Agro Supplies Ltd' })).toBeVisible();
});

test('the page is accessible, light and dark, on a phone and on a desktop', async ({ page }) => {
  await logIn(page, 'staff@kasente.test', { to: '/businesses' });
  await page.getByRole('link', { name: 'Nakasero Traders Ltd' }).click();
  await inEachLook(page, async (name) => {
    await expect(page.getByRole('region', { name: 'Applications as client' }).getByText('NT-2026-042')).toBeVisible();
    await expectNoViolations(page, `business, ${name}`);
    await expectNoSidewaysScrolling(page, `business, ${name}`);
  });
  await picture(page, 'business');
});

test('a business that does not exist is not found, and a client has no such page', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await logIn(page, 'staff@kasente.test', { to: `/businesses/${crypto.randomUUID()}` });
  await expect(page.getByRole('heading', { name: 'No such business' })).toBeVisible();
  const { tag } = await firstRow<{ tag: string }>(page, 'businesses/paged', 'Pearl Hotels');
  await page.context().clearCookies();
  await logIn(page, '0700000001');
  await page.goto(`/businesses/${tag}`);
  await expect(page).toHaveURL(/\/login$/);
});
