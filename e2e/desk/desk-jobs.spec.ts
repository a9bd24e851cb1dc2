import type { Page } from '@playwright/test';
import {
  expectNoSidewaysScrolling,
  expectNoViolations,
  inEachLook,
  watchSidewaysScrolling,
} from '#e2e/support/accessible.ts';
import { newSubmission, onDesk } from '#e2e/support/arrange.ts';
import { post } from '#e2e/support/calls.ts';
import { expectByItself } from '#e2e/support/clock.ts';
import { askClient, longNamed } from '#e2e/support/desk.ts';
import { expect, logIn, PHONE, signIn, test, visit } from '#e2e/support/fixtures.ts';
import { hold } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/** The desk's jobs: the cases each one lists, and the contents of a row. */

test.use({ world: 'desk jobs' });
test.describe.configure({ mode: 'default' });

const CLIENT = '0700000002';
const OFFICER = 'staff@kasente.test';

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const job = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Jobs' }).getByRole('link', { name: new RegExp(`^${name}`) });
const filters = (page: Page) => page.getByRole('navigation', { name: /^Filters of/ });
const headers = (page: Page) => page.getByRole('table', { name: 'Queue' }).locator('thead').getByRole('columnheader');
const rows = (page: Page) => page.getByRole('table', { name: 'Queue' }).locator('tbody tr');

const second = ['Time left', 'Client', 'Buyer', 'Amount', 'Waits for', 'Status', 'Assigned to'];
const decided = ['Decided', 'To pay out', 'Client', 'Buyer', 'Check', 'Approved by'];
const owed = ['Paid back', 'Extra money owed', 'Client', 'Buyer', 'Check', 'Approved by'];
const due = ['Days late', 'Owed', 'Due', 'Client', 'Buyer', 'Last contact', 'Next step', 'Promise'];
const closed = ['Decided', 'Client', 'Buyer', 'Applied', 'Status', 'In time', 'Decided by'];
const settled = ['Paid back', 'Client', 'Buyer', 'Applied', 'Status', 'Decided by'];

test('each job has its columns and filters, which the address contains, and each count matches its list', async ({
  page,
}) => {
  await logIn(page, OFFICER);
  await main(page).getByRole('link', { name: 'Decision Desk' }).click();
  await expect(headers(page)).toHaveText([
    'Time left',
    'Client',
    'Buyer',
    'Applied',
    'To be received',
    'Status',
    'Assigned to',
  ]);
  for (const [name, filter, address, columns] of [
    ['Decide', 'Second officer', '/desk?job=decide&filter=secondOfficer', second],
    ['Pay out', 'To pay out', '/desk?job=payOut', decided],
    ['Pay out', 'Extra money owed', '/desk?job=payOut&filter=surplusOwed', owed],
    ['Collect', 'Overdue', '/desk?job=collect', due],
    ['Collect', 'Due within 7 days', '/desk?job=collect&filter=dueThisWeek', due],
    ['Collect', 'All paid out', '/desk?job=collect&filter=disbursed', due],
    ['History', 'Decided this month', '/desk?job=history', closed],
    ['History', 'Paid back this month', '/desk?job=history&filter=settledThisMonth', settled],
  ] as const) {
    await job(page, name).click();
    const chosen = filters(page).getByRole('link', { name: filter });
    await chosen.click();
    await expect(page).toHaveURL(address);
    await expect(chosen).toHaveAttribute('aria-current', 'page');
    await expect(chosen).toHaveText(/\d$/);
    // Early in a month the demonstration has none.
    if (name === 'History' && (await chosen.textContent()) === `${filter}0`) {
      await expect(page.getByText(/^Nothing is (?:decided|paid back) this month yet\.$/)).toBeVisible();
      continue;
    }
    await expect(headers(page), filter).toHaveText([...columns]);
    // The earlier list stays until the new one has loaded.
    await expect
      .poll(async () => (await chosen.textContent()) === `${filter}${await rows(page).count()}`, filter)
      .toBe(true);
    await expect(rows(page), filter).not.toHaveCount(0);
    await picture(page, `desk ${name} ${filter}`);
  }
  await page.goBack();
  await expect(page).toHaveURL('/desk?job=collect&filter=disbursed');
  await expect(headers(page)).toHaveText(due);
});

test('earlier rows keep their times while a search is loading', async ({ page }) => {
  await page.clock.setFixedTime(new Date());
  await logIn(page, OFFICER);
  await main(page).getByRole('link', { name: 'Decision Desk' }).click();
  const times = rows(page).locator('td:first-child');
  // Rows that are still loading have no text.
  await expect(times.first()).not.toBeEmpty();
  const before = await times.allTextContents();
  const letFoundCome = await hold(page, '**/api/v1/desk/queue', 'POST');
  await page.getByRole('searchbox', { name: 'Search client, buyer or invoice' }).fill('NT');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/NT/);
  await expect(times).toHaveText(before);
  letFoundCome();
  await expect(times).not.toHaveCount(before.length);
});

test('an overdue advance is first and red, and an empty list leads on', async ({ page }) => {
  await logIn(page, OFFICER, { to: '/desk?job=collect&filter=disbursed' });
  const late = rows(page)
    .first()
    .getByText(/^Overdue \d+ days?$/);
  await expect(late).toBeVisible();
  await expect(late).toHaveCSS(
    'color',
    await job(page, 'Collect')
      .locator('span')
      .evaluate((count) => getComputedStyle(count).color),
  );
  await expect(rows(page).last()).toContainText(/^Due (today|in \d+ days?)/);
  await page.route('**/api/v1/desk/queue', (route) => route.fulfill({ json: [] }));
  await visit(page, '/desk?job=decide&filter=mine');
  await expect(page.getByText('No case is assigned to you.')).toBeVisible();
  await picture(page, 'desk-empty');
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('link', { name: 'Show ‘Unassigned’' }).click();
  await expect(page).toHaveURL('/desk?job=decide&filter=unassigned');
  await expect(rows(page).first().getByText('Unassigned')).toBeVisible();
});

test('a case whose client has answered says so until an officer acts', async ({ page }) => {
  await page.clock.install();
  await signIn(page, CLIENT);
  const application = await newSubmission(page);
  const staff = await askClient(page, application, []);
  await post(page, `applications/${application.tag}/answer`, { answer: 'To the account in Jinja.' });
  await logIn(page, OFFICER);
  // A case that waits for its client comes last, perhaps on the next page.
  await visit(page, `/desk?search=${application.number}`);
  const row = rows(page).filter({ hasText: application.number });
  await expect(row.getByRole('link', { name: `${application.number} Answered` })).toBeVisible();
  await expect(row.getByText('you', { exact: true })).toBeVisible();
  await onDesk(staff, application, 'request_information', { question: 'And the branch?' });
  await expectByItself(page, row.getByText('waiting for client'));
  await expect(row.getByText('Answered')).toHaveCount(0);
});

test('the longest names are truncated after two lines, and all rows have the same height', async ({ page }) => {
  await page.route('**/api/v1/desk/queue', longNamed);
  await logIn(page, OFFICER);
  const expectNeverSideways = await watchSidewaysScrolling(page);
  for (const address of [
    '/desk',
    '/desk?job=decide&filter=secondOfficer',
    '/desk?job=collect&filter=disbursed',
    '/desk?job=history',
  ]) {
    await visit(page, address);
    const client = rows(page).first().getByRole('rowheader').getByRole('link');
    await expect(client).toHaveAttribute('title', /^Kampala Metropolitan .* Society Ltd$/);
    const heights = await rows(page).evaluateAll((all) =>
      all.map((row) => Math.round(row.getBoundingClientRect().height)),
    );
    expect(new Set(heights).size, `${address}: ${heights.join()}`).toBe(1);
    await expectNoSidewaysScrolling(page, address);
    await expectNeverSideways(address);
    // Content that is too wide scrolls and is not cut off.
    const isReachable = ({ offsetWidth, parentElement: frame }: HTMLElement): boolean =>
      frame !== null && (offsetWidth <= frame.clientWidth + 1 || getComputedStyle(frame).overflowX === 'auto');
    await expect.poll(() => page.getByRole('table', { name: 'Queue' }).evaluate(isReachable), address).toBe(true);
    await picture(page, `desk-long-names ${address}`);
  }
});

test('on a phone the jobs are tabs that fit, and the sum is the largest text on a card', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await logIn(page, OFFICER);
  for (const address of ['/desk', '/desk?job=payOut', '/desk?job=collect', '/desk?job=history']) {
    await visit(page, address);
    const card = page.getByRole('list', { name: 'Queue' }).getByRole('listitem').first();
    await expect(card).toBeVisible();
    const jobs = page.getByRole('navigation', { name: 'Jobs' });
    expect(await jobs.evaluate((nav) => nav.scrollWidth <= nav.clientWidth), address).toBe(true);
    const sizes = await card.evaluate((element) =>
      [...element.querySelectorAll('*')]
        .filter((each) => each.children.length === 0 || /^UGX /.test(each.textContent))
        .map((each) => [Number.parseFloat(getComputedStyle(each).fontSize), each.textContent] as const)
        .toSorted(([one], [other]) => other - one),
    );
    expect(sizes[0]?.[1], address).toMatch(/^UGX /);
    await expectNoSidewaysScrolling(page, address);
  }
  // The filters are one line that scrolls sideways; the last is beyond its end.
  await visit(page, '/desk');
  const last = page.getByRole('navigation', { name: 'Filters of Decide' }).getByRole('link').last();
  await expect(last).not.toBeInViewport({ ratio: 1 });
  const address = await last.getAttribute('href');
  await visit(page, '/home');
  await visit(page, address ?? '');
  await expect(last).toHaveAttribute('aria-current', 'page');
  await expect(last).toBeInViewport({ ratio: 1 });
});

test('each job is accessible, light and dark, on a phone and on a desktop', async ({ page }) => {
  await logIn(page, OFFICER, { to: '/desk' });
  for (const one of ['Pay out', 'Collect', 'History']) {
    await job(page, one).click();
    await expect(page.locator('[data-case]').first()).toBeVisible();
    await inEachLook(page, (look) => expectNoViolations(page, `${one}, ${look}`));
  }
});
