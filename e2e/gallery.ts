import { rm } from 'node:fs/promises';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { type Shot, shots, users } from '#e2e/gallery-shots.ts';
import { fillLogin } from '#e2e/gallery-steps.ts';
import { startServer } from '#e2e/server.ts';
import { chromium as prepareChromium } from '#scripts/chromium.mjs';

/**
 * `npm run gallery`: a picture of every screen in each of its states, on a phone and on a desk, light and dark, into the
 * folder `gallery/`. To be looked at, not compared: what one would not show a stranger is not finished.
 * `npm run gallery -- '^pin.*phone'` takes those alone whose names match.
 */

const OUT = 'gallery';
/** A failed call is asked for again a few times before its failure shows. */
const PATIENCE_MS = 20_000;
const PASSWORD = 'Kasente-demo-1';
const sizes = { phone: { width: 360, height: 740 }, desk: { width: 1366, height: 768 } } as const;
const schemes = ['light', 'dark'] as const;

type Kept = Awaited<ReturnType<BrowserContext['storageState']>>;

/** What the device of somebody who has logged in keeps. */
async function logIn(browser: Browser, address: string, username: string): Promise<Kept> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${address}/login`);
  await fillLogin(page, username, PASSWORD);
  await page.waitForURL(/\/home$/);
  const kept = await context.storageState();
  await context.close();
  return kept;
}

/** A picture has no event to wait for: what slides or fades in has done so by then. */
async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(700);
}

/** On a device of its own: what one screen keeps there is not for the next picture. */
async function take(
  browser: Browser,
  looks: BrowserContextOptions,
  address: string,
  shot: Shot,
  file: string,
): Promise<void> {
  const context = await browser.newContext(looks);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${address}${shot.path}`);
  await page.getByRole('heading').first().waitFor();
  await shot.reach?.(page);
  await settled(page);
  if (shot.fullPage) {
    // A display as high as the page: what sticks to its edges stands there, and what loads when it is seen does so.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    await settled(page);
  }
  await page.screenshot({ path: file });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

const wanted = process.argv[2];
const isWanted = new RegExp(wanted ?? '');

async function takeAll(browser: Browser, address: string): Promise<number> {
  let taken = 0;
  for (const as of [undefined, 'client', 'staff', 'newcomer'] as const) {
    const storageState = as === undefined ? undefined : await logIn(browser, address, users[as]);
    for (const [size, viewport] of Object.entries(sizes)) {
      for (const colorScheme of schemes) {
        const looks = { viewport, colorScheme, storageState, locale: 'en-UG', timezoneId: 'Africa/Kampala' };
        for (const shot of shots) {
          const name = `${shot.name}-${size}-${colorScheme}`;
          if (shot.as !== as || !isWanted.test(name)) continue;
          try {
            await take(browser, looks, address, shot, `${OUT}/${name}.png`);
            taken += 1;
          } catch (error) {
            // A state that cannot be reached any more is named; the others are taken all the same.
            console.error(`${name}:`, error);
            process.exitCode = 1;
          }
        }
      }
    }
  }
  return taken;
}

if (wanted === undefined) await rm(OUT, { recursive: true, force: true });
const server = await startServer();
const browser = await chromium.launch(await prepareChromium());
try {
  console.log(`${await takeAll(browser, server.address)} pictures in ${OUT}/`);
} finally {
  await browser.close();
  await server.stop();
}
