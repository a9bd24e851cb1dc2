import { rm } from 'node:fs/promises';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { DEMONSTRATION_PASSWORD, visit } from '#e2e/support/fixtures.ts';
import { startServer } from '#e2e/support/server.ts';
import { chromium as prepareChromium } from '#scripts/chromium.mjs';
import { type Shot, users } from './shot.ts';
import { shots } from './shots.ts';
import { fillLogin } from './steps.ts';

/**
 * `npm run gallery`: takes a picture of every screen in each of its states, on a phone and on a desktop, light and dark, into
 * `dist/gallery/`. People look at them; nothing compares them. `npm run gallery -- '^pin.*phone'` takes only the pictures
 * whose names match, `npm run gallery -- readme` those of README.md.
 */

const OUT = 'dist/gallery';
/** A failed call is retried a few times before its failure shows. */
const ACTION_TIMEOUT_MS = 20_000;
const sizes = { phone: { width: 360, height: 740 }, desk: { width: 1366, height: 768 } } as const;
const schemes = ['light', 'dark'] as const;

/** Waits until nothing loads, unless a picture holds a call back; a transition has no event to wait for. */
async function settled(page: Page): Promise<void> {
  await page
    .waitForFunction(() => document.querySelector('.mantine-Loader-root, .mantine-Skeleton-root') === null, undefined, {
      timeout: 3000,
    })
    .catch(() => undefined);
  await page.waitForTimeout(700);
}

/** Opens the page as people do: through the login screen, in the same tab. */
async function open(page: Page, { as, path }: Shot): Promise<void> {
  if (as === undefined) {
    await page.goto(path);
    return;
  }
  await page.goto('/login');
  await fillLogin(page, users[as], DEMONSTRATION_PASSWORD);
  await page.waitForURL(/\/home$/);
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor({ state: 'detached' });
  await visit(page, path);
}

/** Takes a picture on a new device, so that nothing that a screen keeps reaches the next picture. */
async function take(browser: Browser, looks: BrowserContextOptions, shot: Shot, file: string): Promise<void> {
  const context = await browser.newContext(looks);
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  await open(page, shot);
  await page.getByRole('heading').first().waitFor();
  await shot.reach?.(page);
  await settled(page);
  if (shot.fullPage) {
    // A display as high as the page: sticky bars move to its edges, and lazy content loads.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    await settled(page);
  }
  await page.screenshot({ path: file });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

function looksOf(
  address: string,
  size: keyof typeof sizes,
  colorScheme: (typeof schemes)[number],
): BrowserContextOptions {
  return { baseURL: address, viewport: sizes[size], colorScheme, locale: 'en-UG', timezoneId: 'Africa/Kampala' };
}

const wanted = process.argv[2];
const isWanted = new RegExp(wanted ?? '');

async function takeAll(browser: Browser, address: string): Promise<number> {
  let taken = 0;
  for (const as of [undefined, 'client', 'staff', 'newcomer'] as const) {
    for (const size of ['phone', 'desk'] as const) {
      for (const colorScheme of schemes) {
        const looks = looksOf(address, size, colorScheme);
        for (const shot of shots) {
          const name = `${shot.name}-${size}-${colorScheme}`;
          if (shot.as !== as || !isWanted.test(name)) continue;
          try {
            await take(browser, looks, shot, `${OUT}/${name}.png`);
            taken += 1;
          } catch (error) {
            // Names a state that cannot be reached, and takes the others.
            console.error(`${name}:`, error);
            process.exitCode = 1;
          }
        }
      }
    }
  }
  return taken;
}

/** Takes README's pictures, each one display high. */
async function takeReadme(browser: Browser, address: string): Promise<number> {
  const pictures = [
    { file: 'application', name: 'draft-ready', size: 'desk', colorScheme: 'light' },
    { file: 'phone-login', name: 'login', size: 'phone', colorScheme: 'light' },
    { file: 'phone-application', name: 'submitted', size: 'phone', colorScheme: 'light' },
    { file: 'phone-dashboard-dark', name: 'client-dashboard', size: 'phone', colorScheme: 'dark' },
    { file: 'decision-desk-dark', name: 'desk', size: 'desk', colorScheme: 'dark' },
    { file: 'case', name: 'desk-case', size: 'desk', colorScheme: 'light' },
  ] as const;
  for (const { file, name, size, colorScheme } of pictures) {
    const shot = shots.find((one) => one.name === name);
    if (shot === undefined) throw new Error(`there is no picture ${name}`);
    await take(browser, looksOf(address, size, colorScheme), { ...shot, fullPage: false }, `docs/images/${file}.png`);
  }
  return pictures.length;
}

if (wanted === undefined) await rm(OUT, { recursive: true, force: true });
const server = await startServer();
const browser = await chromium.launch(await prepareChromium());
try {
  if (wanted === 'readme') console.log(`${await takeReadme(browser, server.address)} pictures in docs/images/`);
  else console.log(`${await takeAll(browser, server.address)} pictures in ${OUT}/`);
} finally {
  await browser.close();
  await server.stop();
}
