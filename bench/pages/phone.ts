import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { chromium as bundled } from '#scripts/chromium.mjs';

/** A cheap phone on a slow connection: 400 kbit/s, a round trip of 400 ms, a processor slowed 4 times. */

/** The links to invoices on a screen. */
export const INVOICES = 'main a[href^="/invoice-discounting-application/"]';

const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 } as const;
const SLOWED = 4;
const SCREEN = { width: 360, height: 740 } as const;

export interface Phone {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** The page's own measurements since it opened. */
  readonly measures: () => Promise<Measures>;
}

export interface Measures {
  /** Largest contentful paint, in milliseconds since navigation. */
  readonly largestPaint: number;
  /** Cumulative layout shift, except shifts that follow an input. */
  readonly shift: number;
  /** The slowest interaction until the next paint, in milliseconds. */
  readonly slowest: number;
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch(await bundled());
}

/** A phone with an empty cache. */
export function newVisitor(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    viewport: SCREEN,
    hasTouch: true,
    isMobile: true,
    locale: 'en-UG',
    timezoneId: 'Africa/Kampala',
  });
}

/** Opens a page on that phone. */
export async function openPhone(context: BrowserContext, { slowLine = true } = {}): Promise<Phone> {
  const page = await context.newPage();
  await page.addInitScript(observe);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (slowLine) await cdp.send('Network.emulateNetworkConditions', LINE);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  return {
    page,
    cdp,
    measures: () => page.evaluate(() => window.measures ?? { largestPaint: 0, shift: 0, slowest: 0 }),
  };
}

declare global {
  interface Window {
    firstTyped?: number;
    measures?: { largestPaint: number; shift: number; slowest: number };
  }
}

/** Runs in every page before the page's scripts. */
function observe(): void {
  const measures = { largestPaint: 0, shift: 0, slowest: 0 };
  window.measures = measures;
  const watch = (type: string, options: object, take: (entry: PerformanceEntry) => void) => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry);
    });
    observer.observe({ type, buffered: true, ...options });
  };
  watch('largest-contentful-paint', {}, ({ startTime }) => {
    measures.largestPaint = startTime;
  });
  watch('layout-shift', {}, (entry) => {
    if ('hadRecentInput' in entry && 'value' in entry && entry.hadRecentInput === false)
      measures.shift += Number(entry.value);
  });
  addEventListener('input', () => (window.firstTyped ??= performance.now()), { capture: true });
  watch('event', { durationThreshold: 16 }, (entry) => {
    if ('interactionId' in entry && Number(entry.interactionId) > 0)
      measures.slowest = Math.max(measures.slowest, entry.duration);
  });
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
