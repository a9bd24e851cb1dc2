import { defineConfig } from '@playwright/test';
import { chromium } from './scripts/chromium.mjs';

const browser = await chromium();
const inGallery = process.env.GALLERY !== undefined;
/** Bars that take no room, as on a phone: the room that a desktop keeps for them would be an empty strip in a picture. */
const OVERLAY_SCROLL_BARS = '--enable-features=OverlayScrollbar';

/** Journeys in a real Chromium, each worker against a server and a database of its own (e2e/support/fixtures.ts). */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  testIgnore: inGallery ? [] : '**/states.spec.ts',
  globalSetup: './e2e/support/server.ts',
  fullyParallel: true,
  // A journey waits for the server and the browser in turns: three keep two cores busy.
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  // A shared, busy machine may hold one step up; a second failure is a failure, and a flaky test is named in the report.
  retries: process.env.CI === undefined ? 0 : 1,
  // Bounds for what hangs; a busy machine takes ten times what a quiet one does.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    headless: true,
    // Without a process that plays the graphics card, a tenth of the time is saved.
    launchOptions: {
      ...browser,
      args: [...browser.args, '--disable-gpu', ...(inGallery ? [OVERLAY_SCROLL_BARS] : [])],
    },
    viewport: { width: 1366, height: 768 },
    locale: 'en-UG',
    timezoneId: 'Africa/Kampala',
    actionTimeout: 30_000,
    // Recording each journey costs a quarter of its time: the second try is recorded, and what is run with `--trace on`.
    trace: 'on-first-retry',
    // What slides and fades is painted sixty times a second without a graphics card; journeys about that ask for it.
    contextOptions: { reducedMotion: 'reduce' },
  },
});
