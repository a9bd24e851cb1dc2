import type { Locator } from '@playwright/test';
import { expectNoSidewaysScrolling, layoutShift } from '#e2e/support/accessible.ts';
import { holdTheClock } from '#e2e/support/clock.ts';
import { expect, logIn, PHONE, sendLogin, signIn, test, visit } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { sentTo } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/** Staff use the tables: they search, turn pages, deactivate and reactivate, add and edit a business. */

const SEARCH_DEBOUNCE_MS = 1000;

test.use({ world: 'tables' });
test.describe.configure({ mode: 'default' });

test('searching users waits for a pause, starts at page 1 and stays in the address', async ({ page }) => {
  await page.clock.install();
  await logIn(page, 'staff@kasente.test', { to: '/home?people-page=7' });
  await expect(page.getByText('There is no page 7 any more.')).toBeVisible();

  const asked = sentTo(page, 'persons');
  const search = page.getByRole('searchbox', { name: 'Search users' });
  await holdTheClock(page);
  await search.pressSequentially('sarah nabiry');
  await page.clock.runFor(SEARCH_DEBOUNCE_MS - 1);
  await search.press('e');
  await page.clock.runFor(SEARCH_DEBOUNCE_MS - 1);
  expect(new URL(page.url()).search).toBe('?people-page=7');
  await page.clock.runFor(1);
  await page.clock.resume();
  const users = page.getByRole('table', { name: 'Users' });
  await expect(users.getByRole('row', { name: /Sarah Nabirye/ })).toBeVisible();
  expect(asked).toEqual([expect.objectContaining({ page: 1, searchPhrase: 'sarah nabirye' })]);
  await expect(users.getByRole('rowheader')).toHaveCount(1);
  await expect(page).toHaveURL(/\/home\?people-search=sarah\+nabirye$/);
  await page.reload();
  await expect(search).toHaveValue('sarah nabirye');
  await expect(users.getByRole('rowheader')).toHaveText(['Sarah Nabirye']);
});

test('users are reloaded whenever the search changes, even to a recent one', async ({ page }) => {
  await signIn(page, 'staff@kasente.test');
  const asked = sentTo(page, 'persons');
  await page.goto('/home');
  const search = page.getByRole('searchbox', { name: 'Search users' });
  const users = page.getByRole('table', { name: 'Users' });
  for (const phrase of ['sarah nabirye', '', 'sarah nabirye']) {
    const answered = page.waitForResponse('**/api/v1/persons');
    await search.fill(phrase);
    await search.press('Enter');
    await answered;
    await expect(users.getByRole('row', { name: /newcomer@/ })).toHaveCount(phrase === '' ? 1 : 0);
  }
  const first = { page: 1, size: 10 };
  expect(asked).toEqual(
    ['', 'sarah nabirye', '', 'sarah nabirye'].map((searchPhrase) =>
      expect.objectContaining({ ...first, searchPhrase }),
    ),
  );
});

test("a search without a match says 'No Users' and leads back to all of them", async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  const search = page.getByRole('searchbox', { name: 'Search users' });
  await search.fill('nobody is called so');
  await search.press('Enter');
  await expect(page.getByText('No Users', { exact: true })).toBeVisible();
  await picture(page, 'staff-users-none');
  await page.getByRole('region', { name: 'Users' }).getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByRole('row', { name: /Sarah Nabirye/ })).toBeVisible();
  await expect(search).toHaveValue('');
  // People who wait for activation come first; a missing date shows '-'.
  const first = page.getByRole('table', { name: 'Users' }).locator('tbody').getByRole('row').first();
  await expect(first).toContainText('newcomer@kasente.test');
});

test('the page of the applications stays the same after a reload', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  const table = page.getByRole('table', { name: 'All Applications' });
  await expect(table.getByRole('rowheader')).toHaveCount(10);
  // More than 5 rows: the header is repeated below them.
  await expect(table.getByRole('columnheader', { name: 'Owner' })).toHaveCount(2);
  await expect(page.getByText(/^All Applications: 1–10 of \d+$/)).toBeVisible();
  await page.getByRole('navigation', { name: 'Pages of All Applications' }).getByRole('button', { name: '2' }).click();
  await expect(page).toHaveURL(/\/home\?applications-page=2$/);
  await expect(table.getByRole('row', { name: /JAS 117/ })).toContainText('24,000,000');
  await page.reload();
  await expect(table.getByRole('row', { name: /JAS 117/ })).toContainText('21,360,000');
  await expect(page.getByText(/^All Applications: 11–\d+ of \d+$/)).toBeVisible();
  await table.getByRole('link', { name: 'JAS 117' }).click();
  await expect(page).toHaveURL(/\/invoice-discounting-application\/[0-9a-f-]{36}$/);
});

test('All Applications shows drafts until they are hidden, which the device remembers', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  const table = page.getByRole('table', { name: 'All Applications' });
  const drafts = table.getByRole('row', { name: /Draft/ });
  await page.getByRole('combobox', { name: 'Status of applications' }).click();
  await page.getByRole('option', { name: 'Draft', exact: true }).click();
  await expect(drafts.first()).toBeVisible();
  const draft = (await drafts.first().getByRole('rowheader').textContent()) ?? '';
  await page.goto('/home');
  const search = page.getByRole('searchbox', { name: 'Search applications' });
  const find = async (number: string): Promise<void> => {
    await search.fill(number);
    await search.press('Enter');
  };
  await find(draft);
  await expect(drafts.first()).toBeVisible();
  await page.getByRole('button', { name: 'Hide drafts' }).click();
  await expect(drafts).toHaveCount(0);
  await page.goto('/home');
  await expect(page.getByRole('button', { name: 'Show drafts' })).toBeVisible();
  await find(draft);
  await expect(page.getByText('No application matches.')).toBeVisible();
  await page.getByRole('button', { name: 'Show drafts' }).click();
  await expect(drafts.first()).toBeVisible();
});

/** The numbers in a column of a table; the row's header is column 1. */
async function numbersIn(table: Locator, column: number): Promise<number[]> {
  const cells = await table.locator(`tbody td:nth-child(${column})`).allTextContents();
  return cells.map((text) => (text === '-' ? 0 : Number(text.replaceAll(/[^\d.]/g, ''))));
}

test('a list is sorted by its header, and keeps its order in the address', async ({ page }) => {
  const APPLIED_FOR = 5;
  await logIn(page, 'staff@kasente.test', { to: '/home?applications-page=2' });
  const table = page.getByRole('table', { name: 'All Applications' });
  const header = (name: string) => table.locator('thead').getByRole('columnheader', { name });
  await expect(header('Date')).toHaveAttribute('aria-sort', 'descending');
  await expect(header('Owner').getByRole('button')).toHaveCount(0);

  const largestFirst = (one: number, other: number): number => other - one;
  await header('Applied for').getByRole('button').click();
  await expect(page).toHaveURL(/\/home\?applications-sort=-applied$/);
  await expect(header('Applied for')).toHaveAttribute('aria-sort', 'descending');
  await expect(header('Date')).not.toHaveAttribute('aria-sort');
  await expect(table.getByRole('rowheader').first()).toBeVisible();
  await expect
    .poll(async () => {
      const numbers = await numbersIn(table, APPLIED_FOR);
      return numbers.length === 10 && numbers.every((number, at) => number === numbers.toSorted(largestFirst)[at]);
    })
    .toBe(true);
  const largest = await numbersIn(table, APPLIED_FOR);

  await header('Applied for').getByRole('button').press('Enter');
  await expect(page).toHaveURL(/\/home\?applications-sort=applied$/);
  await expect(header('Applied for')).toHaveAttribute('aria-sort', 'ascending');
  await page.reload();
  await expect(header('Applied for')).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(async () => (await numbersIn(table, APPLIED_FOR))[0]).toBeLessThan(largest[0] ?? 0);
  await header('Applied for').getByRole('button').click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(header('Date')).toHaveAttribute('aria-sort', 'descending');

  await visit(page, '/businesses');
  await page.getByRole('columnheader', { name: 'Name' }).first().getByRole('button').click();
  await expect(page).toHaveURL(/\/businesses\?sort=-name$/);
  await expect(page.getByRole('rowheader').first()).toHaveText('Rwenzori Beverages Ltd');
});

test('on a phone a list is sorted by a select; users have an order that no column has', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await logIn(page, 'staff@kasente.test');
  const sort = page.getByRole('combobox', { name: 'Sort Users' });
  await expect(sort).toHaveValue('Usual order');
  // Everything above it has loaded: an open list closes when its field moves out of view.
  await expect(page.getByRole('list', { name: 'All Applications' }).getByRole('listitem').first()).toBeVisible();
  await sort.click();
  await page.getByRole('option', { name: 'Joined, oldest first' }).click();
  await expect(page).toHaveURL(/\/home\?people-sort=joined$/);
  const cards = page.getByRole('list', { name: 'Users' }).getByRole('listitem');
  await expect(cards.first()).toContainText('Grace Namukasa');
  await sort.click();
  await page.getByRole('option', { name: 'Usual order' }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(cards.first()).toContainText('newcomer@kasente.test');
  await expect(page.getByRole('combobox', { name: 'Sort All Applications' })).toHaveValue('Date, newest first');
  await expectNoSidewaysScrolling(page, 'the list of users');
});

test('the six supporting documents of a draft repeat their header below', async ({ page }) => {
  await logIn(page, '0700000001');
  const applications = page.getByRole('table', { name: 'My Applications' });
  await applications.getByRole('row', { name: /Draft/ }).first().getByRole('rowheader').getByRole('link').click();
  const table = page.getByRole('table').filter({ hasText: 'Document type' });
  await expect(table.locator('tbody').getByRole('row')).toHaveCount(6);
  await expect(table.locator('tfoot').getByRole('columnheader')).toHaveText(['No.', 'Document type', 'Action']);
});

test('on a phone applications are cards, and the amount is the largest text on each', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await logIn(page, '0700000001');
  await expect(page.getByRole('region', { name: /^For you to do/ })).toContainText('Please send the statement');
  const card = page
    .getByRole('list', { name: 'My Applications' })
    .getByRole('listitem')
    .filter({ hasText: 'NT-2026-039' });
  await expect(card).toContainText('UGX 801,000 To be received');
  await expect(card).toContainText('Rwenzori Beverages Ltd');
  const sizes = await card.locator('*').evaluateAll((elements) =>
    elements
      .map((element) => ({
        text: element.textContent ?? '',
        size: Number.parseFloat(getComputedStyle(element).fontSize),
      }))
      .sort((one, other) => other.size - one.size),
  );
  expect(sizes[0]?.text).toBe('UGX 801,000');
  await expectNoSidewaysScrolling(page, 'the list of applications');

  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'NT-2026-036' })).toBeInViewport();
});

test('a search on a phone does not move the other cards', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await logIn(page, 'admin@kasente.test', { to: '/businesses' });
  const cards = page.getByRole('list', { name: 'Businesses' }).getByRole('listitem');
  await expect(cards.nth(5)).toBeVisible();
  await page.getByRole('searchbox').fill('Pearl Hotels');
  await expect(cards).toHaveCount(1);
  expect(await layoutShift(page)).toBeLessThan(0.02);
  // The counts arrive after the heading that contains them.
  await visit(page, '/desk');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/[1-9]\d* waiting/);
  await expect(page.getByRole('list', { name: 'Queue' }).getByRole('listitem').first()).toBeVisible();
  expect(await layoutShift(page)).toBeLessThan(0.02);
});

test('a deactivated person is logged out at once, and can log in when activated again', async ({ page, browser }) => {
  const client = await browser.newPage();
  await logIn(client, '0700000001');
  await logIn(page, 'staff@kasente.test');
  const row = page.getByRole('row', { name: /Sarah Nabirye/ });
  const deactivate = row.getByRole('button', { name: /^Deactivate Sarah Nabirye/ });

  await deactivate.click();
  await page.getByRole('dialog', { name: 'Deactivate Sarah Nabirye?' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(deactivate).toBeFocused();
  await deactivate.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click();
  await expect(page.getByText('This person can no longer log in')).toBeVisible();
  await expect(row).toContainText('Deactivated');
  await expect(deactivate).toBeDisabled();
  await client.reload();
  await expect(client).toHaveURL(/\/login$/);
  await sendLogin(client, '0700000001');
  await expect(client.getByText(/has been deactivated/)).toBeVisible();
  await expect(
    client.getByText('You can reach us by email at help@kasente.test or by phone on +256 700 000000.'),
  ).toBeVisible();

  await row.getByRole('button', { name: /^Activate Sarah Nabirye/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Person' });
  await expect(dialog.getByLabel('Phone')).toHaveValue('0700000001');
  await expect(dialog.getByLabel('Phone')).not.toBeEditable();
  await expect(dialog.getByLabel('Email')).toBeEditable();
  await dialog.getByLabel('Email').fill('sarah@');
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await expect(dialog.getByText('Invalid email')).toBeVisible();
  await expect(dialog.getByLabel('Email')).toBeFocused();
  await dialog.getByLabel('Email').fill('');
  await expect(dialog.getByRole('combobox', { name: 'Business' })).toHaveValue('Nakasero Traders Ltd');
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText('Updates to this business person have been successful')).toBeVisible();
  await expect(row).toContainText('Active');
  await expect(deactivate).toBeEnabled();
  await logIn(client, '0700000001');
  await expect(client.getByRole('link', { name: 'Apply Now' })).toBeVisible();
});

test('a business is added, refused under a name that is taken, and edited', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  await page.getByRole('link', { name: 'Businesses' }).click();
  await page.getByRole('button', { name: 'Add Business' }).click();
  const adding = page.getByRole('dialog', { name: 'Add Business' });
  await adding.getByRole('button', { name: 'Save Business' }).click();
  await expect(adding.getByText('Give the name of the business')).toBeVisible();
  await expect(adding.getByText('Please select your business sector')).toBeVisible();
  await expect(adding.getByText('Please select your district')).toBeVisible();
  await picture(page, 'businesses-add-wrong');
  await adding.getByLabel('Name').fill('nakasero  traders LTD');
  await choose(page, 'Sector', 'Manufacturing', 'Manufacturing');
  await choose(page, 'District/Location', 'Kabale', 'Kabale');
  await adding.getByRole('button', { name: 'Save Business' }).click();
  await expect(adding.getByText('There is already a business with this name')).toBeVisible();
  await expect(adding.getByLabel('Name')).toBeFocused();
  await adding.getByLabel('Name').fill('Kabale Fresh Produce Ltd');
  await adding.getByRole('button', { name: 'Save Business' }).click();
  await expect(page.getByText('The business was saved')).toBeVisible();

  const row = page.getByRole('row', { name: /Kabale Fresh Produce Ltd/ });
  await expect(row).toContainText('Client');
  await row.getByRole('link', { name: 'Kabale Fresh Produce Ltd' }).click();
  await page.getByRole('button', { name: 'Edit Business' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Business' });
  await editing.getByLabel('Client').uncheck();
  await editing.getByRole('button', { name: 'Save Business' }).click();
  await expect(editing.getByText('A business must be a client, a buyer, or both')).toBeVisible();
  await picture(page, 'businesses-edit-wrong');
  await editing.getByLabel('Buyer').check();
  await editing.getByRole('switch', { name: 'Active' }).uncheck();
  await editing.getByRole('button', { name: 'Save Business' }).click();
  await expect(editing).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Applications as buyer' })).toBeVisible();
  await page.goBack();
  await expect(row).toContainText('Buyer');
  await expect(row).toContainText('Inactive');
});
