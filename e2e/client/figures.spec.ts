import type { Locator, Page } from '@playwright/test';
import { expectNoSidewaysScrolling, expectNoViolations, inEachLook } from '#e2e/support/accessible.ts';
import { post } from '#e2e/support/calls.ts';
import { DESK, expect, logIn, PHONE, test } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/** The last block of each dashboard: figures, a chart, the table behind it, and their state without a connection. */

interface Row {
  readonly status: string;
  readonly currency: string;
  readonly amount_applied_for: number | null;
  readonly fees_charged: number | null;
  readonly amount_received: number | null;
  readonly total?: number;
}

/** The rows of the list of applications, with which the figures must agree. */
const listed = (page: Page, status: string) => post<Row[]>(page, 'invoices/paged', { size: 100, status });

function sumOf(rows: readonly Row[], key: 'amount_applied_for' | 'fees_charged' | 'amount_received'): number {
  return rows.filter(({ currency }) => currency === 'UGX').reduce((sum, row) => sum + (row[key] ?? 0), 0);
}

/** The sum of a table column; column 0 is the one after the months. */
async function columnSum(table: Locator, column: number): Promise<number> {
  const cells = await table.locator(`tbody td:nth-child(${column + 2})`).allTextContents();
  return cells.reduce((sum, text) => sum + (text === '-' ? 0 : Number(text.replaceAll(',', ''))), 0);
}

const client = (page: Page) => page.getByRole('region', { name: 'Your money' });
const staff = (page: Page) => page.getByRole('region', { name: 'Amounts applied for by week' });

/** The price that the demonstration's client paid for an extension: the list has only the first fee. */
const FEE_OF_MORE_TIME = 60_750;

test("a client's figures load when they become visible, match the list, and are readable without the chart", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const ofFigures = () => asked.filter((path) => /figures\/|period-chart/.test(path));
  await logIn(page, '0700000002');
  await expect(page.getByRole('list', { name: 'My Applications' }).getByRole('listitem').first()).toBeVisible();
  expect(ofFigures()).toEqual([]);

  await client(page).scrollIntoViewIfNeeded();
  await expect(
    client(page).getByRole('img', { name: /^Bar chart by month in UGX\. .*Paid out \d.*, Fees \d/ }),
  ).toBeVisible();
  expect(ofFigures()).toContain('/api/v1/figures/own');
  await expect(client(page).getByText('by the day of the payment')).toBeVisible();

  await client(page).getByRole('button', { name: 'Show as table' }).click();
  const table = client(page).getByRole('table', { name: 'Your money, UGX' });
  const headings = ['Month', 'Financed', 'Fees', 'Paid out'];
  await expect(table.locator('thead').getByRole('columnheader')).toHaveText(headings);
  await expect(table.locator('tfoot').getByRole('columnheader')).toHaveText(headings);
  await expect(table.getByRole('rowheader')).toHaveCount(12);
  await picture(page, 'client-dashboard-figures-table');
  const rows = [...(await listed(page, 'Disbursed')), ...(await listed(page, 'Settled'))];
  expect(rows.length).toBeGreaterThanOrEqual(2);
  expect(await columnSum(table, 0)).toBe(sumOf(rows, 'amount_applied_for'));
  expect(await columnSum(table, 1)).toBe(sumOf(rows, 'fees_charged') + FEE_OF_MORE_TIME);
  expect(await columnSum(table, 2)).toBe(sumOf(rows, 'amount_received'));
  await expectNoSidewaysScrolling(page, 'the figures as a table');

  // The address keeps the table; a person who only views the table never loads the chart.
  await expect(page).toHaveURL(/\/home\?figures-as=table$/);
  asked.length = 0;
  await page.reload();
  await client(page).scrollIntoViewIfNeeded();
  await expect(table).toBeVisible();
  expect(ofFigures()).toEqual(['/api/v1/figures/own']);
});

test('figures that do not load say so and can be loaded again', async ({ page }) => {
  await page.route('**/api/v1/figures/own', (route) => route.abort());
  await page.route('**/period-chart*.js', (route) => route.abort());
  await logIn(page, '0700000002');
  await client(page).scrollIntoViewIfNeeded();
  const alert = client(page).getByRole('alert');
  await expect(alert).toContainText('Your money: the figures did not load');
  await expect(alert).toContainText('No connection. Check your network and try again.');
  await picture(page, 'client-dashboard-figures-failed');
  await page.unroute('**/api/v1/figures/own');
  await alert.getByRole('button', { name: 'Try again' }).click();

  // The chart's code is still unreachable: its table replaces it.
  await expect(client(page).getByText('The chart did not load')).toBeVisible();
  await expect(client(page).getByRole('table').getByRole('rowheader')).toHaveCount(12);
});

test('a client without a payout sees a description of the figures', async ({ page }) => {
  await page.route('**/api/v1/figures/own', (route) => route.fulfill({ json: { currencies: [] } }));
  await logIn(page, '0700000002');
  await client(page).scrollIntoViewIfNeeded();
  await expect(client(page).getByText(/^Nothing paid out yet\./)).toBeVisible();
  await picture(page, 'client-dashboard-no-figures');
  await expect(client(page).getByRole('button')).toHaveCount(0);
});

test('staff see the number of waiting applications with a link to them, and the amounts by week', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  const tile = page.getByRole('link', { name: /^Waiting/ });
  await expect(tile).toContainText(/\d/);
  await tile.click();
  await expect(page).toHaveURL(/\/desk$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Queue · \d+ waiting · \d+ due within the hour$/);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports' }).click();
  await staff(page).scrollIntoViewIfNeeded();
  await expect(staff(page).getByRole('img', { name: /^Bar chart by week in UGX\. / })).toBeVisible();
  // A week's tooltip names only the statuses it has.
  await staff(page).locator('.recharts-bar-rectangle path').last().hover();
  const values = staff(page).locator('.mantine-ChartTooltip-tooltipItemData');
  await expect(values.first()).toBeVisible();
  expect(await values.allTextContents()).not.toContain('0');

  await staff(page).getByText('USD', { exact: true }).click();
  await staff(page).getByRole('button', { name: 'Show as table' }).click();
  const table = staff(page).getByRole('table', { name: 'Amounts applied for by week, USD' });
  await expect(table.locator('thead').getByRole('columnheader')).toHaveText([
    'Week from',
    'Settled',
    'Disbursed',
    'Approved',
    'Draft',
  ]);
  await expect(table.getByRole('rowheader')).toHaveCount(12);
  await expect(table).toContainText('700');

  await staff(page).getByRole('link', { name: 'Paid back', exact: true }).click();
  await expect(page).toHaveURL(/\/invoices\/applications\?applications-filter=Settled$/);
  await expect(page.locator('[data-status=settled]').first()).toBeVisible();
});

test('staff see what is outstanding, how late it is and who owes it, and each part leads to its list', async ({
  page,
}) => {
  await logIn(page, 'staff@kasente.test', { to: '/reports' });
  const out = page.getByRole('region', { name: 'Money out' });
  await out.scrollIntoViewIfNeeded();
  await expect(out.getByRole('table', { name: 'Overdue' }).getByRole('rowheader')).toHaveCount(5);
  for (const name of ['By buyer', 'By client'])
    await expect(out.getByRole('table', { name }).getByRole('rowheader').first()).toBeVisible();

  const part = `[aria-labelledby="${await out.getAttribute('aria-labelledby')}"]`;
  await inEachLook(page, async (name) => {
    await expectNoViolations(page, `money out, ${name}`, part);
    await expectNoSidewaysScrolling(page, `money out, ${name}`);
  });

  const collected = page.getByRole('region', { name: 'Collected against due' });
  await collected.scrollIntoViewIfNeeded();
  await expect(
    collected.getByRole('img', { name: /^Bar chart by week in UGX\. .*Due \d.*Collected \d/ }),
  ).toBeVisible();
  await collected.getByRole('button', { name: 'Show as table' }).click();
  const table = collected.getByRole('table', { name: 'Collected against due, UGX' });
  await expect(table.getByRole('rowheader')).toHaveCount(12);
  await expect(page).toHaveURL(/collected-as=table/);
  await picture(page, 'reports-collected-table');
  await expect(page.getByRole('region', { name: 'Fee income by month' })).toBeVisible();

  const bucket = out.getByRole('link', { name: '31–60 days late' });
  await bucket.click();
  await expect(page).toHaveURL(/\/desk\?job=collect&filter=days31To60$/);
  await expect(page.getByRole('link', { name: /MCT/ }).first()).toBeVisible();
});

test('both blocks are accessible in light and dark, on a phone and on a desktop', async ({ page }) => {
  for (const [username, block] of [
    ['0700000001', client],
    ['staff@kasente.test', staff],
  ] as const) {
    await page.setViewportSize(DESK);
    await logIn(page, username, block === staff ? { to: '/reports' } : {});
    await inEachLook(page, async (name) => {
      const part = `[aria-labelledby="${await block(page).getAttribute('aria-labelledby')}"]`;
      for (const shown of ['chart', 'table']) {
        await block(page).scrollIntoViewIfNeeded();
        await expect(block(page).getByRole(shown === 'chart' ? 'img' : 'table')).toBeVisible();
        // Clear of the sticky header: axe takes a button that it half covers for one that is too small.
        await block(page).evaluate((element) => {
          element.scrollIntoView();
          scrollBy(0, -100);
        });
        await expectNoViolations(page, `${username}, ${name}, ${shown}`, part);
        await block(page)
          .getByRole('button', { name: shown === 'chart' ? 'Show as table' : 'Show as chart' })
          .click();
      }
    });
  }
});
