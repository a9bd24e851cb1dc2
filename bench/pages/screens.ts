import type { Browser, Page } from '@playwright/test';
import { median } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { startServer } from '#e2e/support/server.ts';
import { DEMONSTRATION_PASSWORD } from '#server/config/demonstration-people.ts';
import { INVOICES, newVisitor, openBrowser, openPhone } from './phone.ts';

/**
 * Measures each screen's slowest interaction until the next paint, and its layout shift, while it is opened and used on
 * a processor slowed 4 times.
 *
 *   node bench/pages/screens.ts [rounds, default 3] [part of a screen's name]
 */

const COMMAND = 'node bench/pages/screens.ts';
const ANSWER_MS = 200;
const SHIFT = 0.02;
/** A search starts one second after the last keystroke (docs/specification-coverage.md, 9). */
const SEARCHED_MS = 2500;
const CLIENT = '0700000001';
const ADMINISTRATOR = 'admin@kasente.test';
/** An account without a business. */
const NEWCOMER = 'newcomer@kasente.test';

interface Screen {
  readonly name: string;
  readonly as?: string;
  readonly path: string;
  /** Opens the screen through the first link that matches, on the path's page. */
  readonly link?: string;
  /** Present when the screen is complete. */
  readonly whole: string;
  readonly use: (page: Page) => Promise<void>;
}

const type = (selector: string, text: string) => (page: Page) =>
  page.locator(selector).first().pressSequentially(text, { delay: 60 });
/** Types into the screen's search and waits for the results. */
const search = (text: string) => async (page: Page) => {
  await type('main input:not([type=hidden])', text)(page);
  await page.waitForTimeout(SEARCHED_MS);
};
const press = (name: string | RegExp) => async (page: Page) => page.getByRole('button', { name }).first().click();
const tabOn = (page: Page) => page.keyboard.press('Tab');
const scroll = (page: Page) => page.mouse.wheel(0, 2000);
const choose = (name: string) => async (page: Page) => {
  await page.getByRole('combobox', { name }).first().click();
  await page.getByRole('option').nth(1).click();
};
const steps =
  (...all: readonly ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of all) {
      await step(page);
      await page.waitForTimeout(300);
    }
  };

const screens: readonly Screen[] = [
  {
    name: '/login',
    path: '/login',
    whole: 'h1',
    use: steps(
      type('input[name=username]', '0700000001'),
      type('input[name=password]', 'wrong'),
      press('Show password'),
      press('Login'),
    ),
  },
  {
    name: '/signup',
    path: '/signup',
    whole: 'input[role=combobox], select',
    use: steps(
      type('main input:not([type=hidden])', '0772'),
      press('Show format examples'),
      choose('Sector'),
      choose('District'),
      type('input[name=password]', 'Boda-1'),
      press('Agree'),
    ),
  },
  {
    name: '/forgot-password',
    path: '/forgot-password',
    whole: 'h1',
    use: steps(type('main input:not([type=hidden])', '07'), press('Change Password')),
  },
  { name: '/reset-password', path: '/reset-password', whole: 'h1', use: steps(tabOn) },
  {
    name: '/privacy-policy',
    path: '/privacy-policy',
    whole: 'h1',
    use: steps((page) => page.getByRole('navigation', { name: 'On this page' }).getByRole('link').last().click()),
  },
  ...['user-agreement', 'cookie-policy', 'about-us', 'about-kasente'].map((name) => ({
    name: `/${name}`,
    path: `/${name}`,
    whole: 'h1',
    use: steps(tabOn, scroll),
  })),
  {
    name: 'an account that waits for its business',
    as: NEWCOMER,
    path: '/home',
    whole: 'main h1',
    use: steps(press('Menu')),
  },
  {
    name: "client's dashboard",
    as: CLIENT,
    path: '/home',
    whole: INVOICES,
    use: steps(search('NT'), press('Menu')),
  },
  {
    name: 'new application',
    as: CLIENT,
    path: '/application/start',
    whole: 'main input:not([type=hidden])',
    use: steps(
      type('main input:not([type=hidden])', 'INV-77'),
      choose('Currency'),
      choose('Buyer'),
      type('input[inputmode=decimal], input[inputmode=numeric]', '1000000'),
    ),
  },
  {
    name: 'a draft',
    as: CLIENT,
    path: '/invoices/applications?applications-filter=Draft',
    link: INVOICES,
    whole: 'main input:not([type=hidden])',
    use: steps(type('main input[inputmode=decimal], main input[inputmode=numeric]', '1'), choose('Buyer')),
  },
  {
    name: 'a submitted application',
    as: CLIENT,
    path: '/invoices/applications?applications-filter=Disbursed',
    link: INVOICES,
    whole: 'main dl, main table',
    use: steps(press('Menu')),
  },
  {
    name: 'my applications',
    as: CLIENT,
    path: '/invoices/applications',
    whole: INVOICES,
    use: steps(search('NT'), choose('Status')),
  },
  {
    name: 'one’s account',
    as: CLIENT,
    path: '/account',
    whole: 'main input[type=password]',
    use: steps(type('main input[type=password]', 'Kasente')),
  },
  {
    name: "staff's dashboard",
    as: ADMINISTRATOR,
    path: '/home',
    whole: INVOICES,
    use: steps(search('NT'), press(/^Activate /)),
  },
  {
    name: 'decision desk',
    as: ADMINISTRATOR,
    path: '/desk',
    whole: 'main table a, main li a',
    use: steps(search('NT')),
  },
  {
    name: 'a case',
    as: ADMINISTRATOR,
    path: '/desk',
    link: 'main table a, main li a',
    whole: 'main dl, main table',
    use: steps(press('Menu')),
  },
  {
    name: 'businesses',
    as: ADMINISTRATOR,
    path: '/businesses',
    whole: 'main table, main li',
    use: steps(search('Pearl'), press(/^Add/)),
  },
];

/** Opens and uses a screen as its user; returns the measurements. */
async function measure(browser: Browser, address: string, { as, path, link, whole, use }: Screen) {
  const context = await newVisitor(browser);
  try {
    const { page, measures } = await openPhone(context, { slowLine: false });
    if (as !== undefined) await signIn(page, address, as);
    await page.goto(address + path);
    if (link !== undefined) await page.goto(address + (await page.locator(link).first().getAttribute('href')));
    await page.locator(whole).first().waitFor();
    await page.waitForLoadState('networkidle');
    await use(page);
    await page.waitForTimeout(500);
    return await measures();
  } finally {
    await context.close();
  }
}

async function signIn(page: Page, address: string, username: string): Promise<void> {
  const headers = { 'X-Requested-With': 'fetch' };
  const answer = await page.request.post(`${address}/api/v1/users/login`, {
    headers,
    data: { username, password: DEMONSTRATION_PASSWORD },
  });
  await page.goto(`${address}/api/v1/sectors`);
  await page.evaluate((auth) => localStorage.setItem('auth', auth), await answer.text());
}

/** Measures each screen. */
export async function run(rounds = 3, part = ''): Promise<Row[]> {
  const server = await startServer();
  const browser = await openBrowser();
  try {
    const rows: Row[] = [];
    for (const screen of screens.filter(({ name }) => name.includes(part))) {
      const measured = [];
      for (let round = 0; round < rounds; round += 1) measured.push(await measure(browser, server.address, screen));
      const slowest = median(measured.map((each) => each.slowest));
      const shift = median(measured.map((each) => each.shift));
      rows.push({
        work: `${screen.name}: slowest interaction; layout shift`,
        goal: `${ANSWER_MS} ms; ${SHIFT}`,
        figure: `${Math.round(slowest)} ms; ${shift.toFixed(3)}`,
        holds: slowest <= ANSWER_MS && shift <= SHIFT,
        command: COMMAND,
      });
    }
    return rows;
  } finally {
    await browser.close();
    await server.stop();
  }
}

if (import.meta.main) {
  const [rounds = '3', part] = process.argv.slice(2);
  console.table(await run(Number(rounds), part), ['work', 'goal', 'figure', 'holds']);
}
