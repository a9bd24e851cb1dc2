import { rm } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page, type Route } from '@playwright/test';
import { startServer } from '#e2e/server.ts';
import { chromium as prepareChromium } from '#scripts/chromium.mjs';

/**
 * `npm run gallery`: a picture of every screen in each of its states, on a phone and on a desk, light and dark, into the
 * folder `gallery/`. To be looked at, not compared: what one would not show a stranger is not finished.
 */

const OUT = 'gallery';
const PASSWORD = 'Kasente-demo-1';
const sizes = { phone: { width: 360, height: 740 }, desk: { width: 1366, height: 768 } } as const;
const schemes = ['light', 'dark'] as const;

const users = { client: '0700000001', staff: 'admin@kasente.test', newcomer: 'newcomer@kasente.test' } as const;

interface Shot {
  readonly name: string;
  /** Nobody where it is a public screen. */
  readonly as?: keyof typeof users;
  readonly path: string;
  /** What leads from the path to the state. */
  readonly reach?: (page: Page) => Promise<unknown>;
  readonly fullPage?: boolean;
}

const never = (route: Route): void => void route;
const broken = (route: Route): Promise<void> =>
  route.fulfill({ status: 503, json: { success: false, msg: 'Busy', code: 'UNAVAILABLE' } });
const nothing = (route: Route): Promise<void> => route.fulfill({ json: [] });

/** Opens the page anew with a call that hangs, fails or finds nothing. */
function withCall(path: string, answer: (route: Route) => unknown) {
  return async (page: Page): Promise<void> => {
    await page.route(`**/api/v1${path}`, answer);
    await page.reload({ waitUntil: 'domcontentloaded' });
    // A failure shows only when it was asked for again in vain.
    if (answer === broken)
      await page
        .getByRole('button', { name: /try again|retry/i })
        .first()
        .waitFor();
  };
}

const button = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
const link = (name: string) => (page: Page) => page.getByRole('link', { name }).first().click();

const shots: readonly Shot[] = [
  { name: 'login', path: '/login' },
  { name: 'login-invalid', path: '/login', reach: button('Login') },
  { name: 'login-failed', path: '/login', reach: (page) => fillLogin(page, '0700000001', 'wrong') },
  { name: 'signup', path: '/signup', fullPage: true },
  { name: 'signup-invalid', path: '/signup', reach: button('Agree & Join'), fullPage: true },
  { name: 'signup-options-failed', path: '/signup', reach: withCall('/sectors', broken), fullPage: true },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'forgot-password-failed', path: '/forgot-password', reach: askForCode('nobody') },
  { name: 'forgot-password-code', path: '/forgot-password', reach: askForCode('0788000001') },
  { name: 'reset-password', path: '/reset-password#a-token' },
  { name: 'reset-password-without', path: '/reset-password' },
  { name: 'privacy-policy', path: '/privacy-policy' },
  { name: 'cookie-policy', path: '/cookie-policy' },
  { name: 'user-agreement', path: '/user-agreement' },
  { name: 'about', path: '/about-us' },
  { name: 'activation', as: 'newcomer', path: '/home' },
  { name: 'client-dashboard', as: 'client', path: '/home', fullPage: true },
  { name: 'client-dashboard-loading', as: 'client', path: '/home', reach: withCall('/invoices/paged', never) },
  { name: 'client-dashboard-empty', as: 'client', path: '/home', reach: withCall('/invoices/paged', nothing) },
  { name: 'client-dashboard-failed', as: 'client', path: '/home', reach: withCall('/invoices/paged', broken) },
  { name: 'client-no-match', as: 'client', path: '/invoices/applications?applications-search=nothing-like-it' },
  { name: 'my-applications', as: 'client', path: '/invoices/applications' },
  { name: 'new-application', as: 'client', path: '/application/start', fullPage: true },
  { name: 'draft-started', as: 'client', path: '/invoices/applications', reach: link('NT-2026-040'), fullPage: true },
  { name: 'draft-ready', as: 'client', path: '/invoices/applications', reach: link('NT-2026-039'), fullPage: true },
  { name: 'draft-upload', as: 'client', path: '/invoices/applications', reach: openUpload },
  { name: 'draft-confirm', as: 'client', path: '/invoices/applications', reach: openConfirmation },
  { name: 'submitted', as: 'client', path: '/invoices/applications', reach: link('NT-2026-038'), fullPage: true },
  {
    name: 'no-such-invoice',
    as: 'client',
    path: '/invoice-discounting-application/00000000-0000-4000-8000-000000000000',
  },
  { name: 'staff-dashboard', as: 'staff', path: '/home', fullPage: true },
  { name: 'staff-dashboard-failed', as: 'staff', path: '/home', reach: withCall('/persons', broken), fullPage: true },
  { name: 'staff-no-users', as: 'staff', path: '/home?people-search=nobody-like-that', fullPage: true },
  { name: 'staff-update-person', as: 'staff', path: '/home', reach: button('Activate newcomer@kasente.test') },
  { name: 'staff-deactivate', as: 'staff', path: '/home', reach: button('Deactivate newcomer@kasente.test') },
  { name: 'staff-invoice', as: 'staff', path: '/home', reach: link('NT-2026-038'), fullPage: true },
  { name: 'businesses', as: 'staff', path: '/businesses', fullPage: true },
  { name: 'businesses-loading', as: 'staff', path: '/businesses', reach: withCall('/businesses/paged', never) },
  { name: 'businesses-add', as: 'staff', path: '/businesses', reach: button('Add Business') },
];

async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Phone or Email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button('Login')(page);
}

function askForCode(username: string) {
  return async (page: Page): Promise<void> => {
    // The code itself is of no interest, and a second asking within a minute would be refused.
    await page.route('**/api/v1/reset_password/request', (route) =>
      username === 'nobody' ? route.continue() : route.fulfill({ json: { success: true, data: { tag: 'a-handle' } } }),
    );
    await page.getByRole('textbox').first().fill(username);
    await button('Change Password')(page);
  };
}

async function openUpload(page: Page): Promise<void> {
  await link('NT-2026-040')(page);
  await button('Upload Proof of delivery or completed work')(page);
}

async function openConfirmation(page: Page): Promise<void> {
  await link('NT-2026-039')(page);
  await button('Submit Application')(page);
}

async function logIn(context: BrowserContext, address: string, username: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${address}/login`);
  await fillLogin(page, username, PASSWORD);
  await page.waitForURL(/\/home$/);
  await page.close();
}

async function take(context: BrowserContext, address: string, shot: Shot, look: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${address}${shot.path}`);
  await page.getByRole('heading').first().waitFor();
  await shot.reach?.(page);
  // A picture has no event to wait for: what slides or fades in has done so by then.
  await page.waitForTimeout(700);
  await page.screenshot({ path: `${OUT}/${shot.name}-${look}.png`, fullPage: shot.fullPage ?? false });
  await page.close();
}

async function takeAll(browser: Browser, address: string): Promise<number> {
  let taken = 0;
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of schemes) {
      const looks = { viewport, colorScheme, locale: 'en-UG', timezoneId: 'Africa/Kampala' } as const;
      for (const as of [undefined, 'client', 'staff', 'newcomer'] as const) {
        const context = await browser.newContext(looks);
        if (as !== undefined) await logIn(context, address, users[as]);
        for (const shot of shots.filter((candidate) => candidate.as === as)) {
          await take(context, address, shot, `${size}-${colorScheme}`);
          taken += 1;
        }
        await context.close();
      }
    }
  }
  return taken;
}

await rm(OUT, { recursive: true, force: true });
const server = await startServer();
const browser = await chromium.launch(await prepareChromium());
try {
  console.log(`${await takeAll(browser, server.address)} pictures in ${OUT}/`);
} finally {
  await browser.close();
  await server.stop();
}
