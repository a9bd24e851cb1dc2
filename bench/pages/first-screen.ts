import type { Browser, Page } from '@playwright/test';
import { median } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { CLIENT, startProduction } from './first-screen.server.ts';
import { INVOICES, newVisitor, openBrowser, openPhone, seconds } from './phone.ts';

/**
 * Measures the first screen on a slow connection (docs/decisions/0023-first-screen.md): a real Chromium at 400 kbit/s,
 * with a round trip of 400 ms and a processor slowed 4 times, against a production server. Medians; each round starts
 * with an empty cache.
 *
 *   node bench/pages/first-screen.ts [rounds, default 5]
 */

const COMMAND = 'node bench/pages/first-screen.ts';
const PAINT_MS = 800;
const COLD_MS = 1500;
const AGAIN_MS = 1000;
const TAP_MS = 300;
const SHIFT = 0.02;
/** The time between two keystrokes of a person. */
const LETTER_MS = 150;
const KEY_MS = 20;
/** The time until a dashboard has prefetched its links on this connection. */
const LOOKED_AT_MS = 10_000;
/** Longer than any measured wait. */
const SURELY_SEEN_MS = 5000;

const pages = ['/login', '/signup'] as const;
type Path = (typeof pages)[number];

interface FirstScreen {
  readonly paint: number;
  readonly shift: number;
  readonly typed: number;
  readonly sent: number;
}

/** Measures a page in milliseconds since navigation. */
async function openFirst(browser: Browser, address: string, path: Path): Promise<FirstScreen> {
  const context = await newVisitor(browser);
  try {
    const { page, cdp, measures } = await openPhone(context);
    await page.addInitScript(focusFirstField);
    await page.goto(address + path, { waitUntil: 'commit' });
    // Keystrokes repeat until the page receives one, so that only the page's delay counts.
    const typing = setInterval(() => void cdp.send('Input.insertText', { text: '0' }).catch(() => undefined), KEY_MS);
    await page.waitForFunction(() => window.firstTyped !== undefined);
    clearInterval(typing);
    const typed = await page.evaluate(() => window.firstTyped ?? Number.NaN);
    // The arrival of scripts may shift the layout too.
    await page.waitForLoadState('networkidle');
    const { largestPaint, shift } = await measures();
    return { paint: largestPaint, shift, typed, sent: await sentAt(browser, address, path) };
  } finally {
    await context.close();
  }
}

/** Runs in the page: focuses the first field as soon as it exists. */
function focusFirstField(): void {
  const look = () => {
    const field = document.querySelector<HTMLInputElement>('main input');
    if (field === null) requestAnimationFrame(look);
    else field.focus();
  };
  look();
}

/** When the page sends a form that is filled in and submitted at once, as a password manager does. */
async function sentAt(browser: Browser, address: string, path: Path): Promise<number> {
  const context = await newVisitor(browser);
  try {
    const { page } = await openPhone(context);
    await page.addInitScript(fillAndSend);
    const reached = page.waitForRequest((request) => request.method() === 'POST');
    await page.goto(address + path, { waitUntil: 'commit' });
    await reached;
    return await page.evaluate(() => window.sentAt ?? Number.NaN);
  } finally {
    await context.close();
  }
}

/** Runs in the page: fills in and submits the form once it is painted. */
function fillAndSend(): void {
  const values: Readonly<Record<string, string>> = {
    username: '0700000001',
    phoneOrEmail: '0772000001',
    password: 'Boda-boda-2026!',
    industryId: '3',
    districtId: '7',
  };
  const call = window.fetch;
  window.fetch = (...request) => {
    if (request[1]?.method === 'POST') window.sentAt ??= performance.now();
    return call(...request);
  };
  const fill = (form: HTMLFormElement) => {
    for (const field of form.elements) {
      if (field instanceof HTMLInputElement && field.type === 'radio') field.checked = true;
      else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
        field.value = values[field.name] ?? '';
    }
    form.requestSubmit();
  };
  const look = () => {
    const form = document.querySelector('form:has(button[type=submit])');
    if (form instanceof HTMLFormElement) setTimeout(() => fill(form));
    else requestAnimationFrame(look);
  };
  look();
}

interface Visits {
  readonly cold: number;
  readonly again: number;
  readonly tapped: number;
}

/** Logs in with an empty cache, returns, and opens an invoice. */
async function visit(browser: Browser, address: string): Promise<Visits> {
  const context = await newVisitor(browser);
  try {
    const { page } = await openPhone(context);
    await page.goto(`${address}/login`, { waitUntil: 'commit' });
    await page.locator('input[name=username]').pressSequentially(CLIENT.username, { delay: LETTER_MS });
    await page.locator('input[name=password]').pressSequentially(CLIENT.password, { delay: LETTER_MS });
    const cold = await timeUntil(page, INVOICES, '', () => page.keyboard.press('Enter'));
    await page.waitForTimeout(LOOKED_AT_MS);
    await page.close();
    const { page: second } = await openPhone(context);
    await second.addInitScript(noteWhenSeen, INVOICES);
    await second.goto(`${address}/home`, { waitUntil: 'commit' });
    await second.waitForTimeout(SURELY_SEEN_MS);
    const again = await second.evaluate(() => window.seen ?? Number.NaN);
    await second.waitForTimeout(LOOKED_AT_MS);
    const link = second.locator(INVOICES).first();
    await link.scrollIntoViewIfNeeded();
    const number = (await link.textContent()) ?? '';
    return { cold, again, tapped: await timeUntil(second, 'main h1', number, () => link.tap()) };
  } finally {
    await context.close();
  }
}

/** Milliseconds from the page's input event until the selected element with this text is painted. */
async function timeUntil(page: Page, selector: string, text: string, act: () => Promise<void>): Promise<number> {
  await page.evaluate((wanted) => {
    window.awaited = wanted;
    for (const type of ['keydown', 'click'])
      addEventListener(type, ({ timeStamp }) => (window.acted ??= timeStamp), { capture: true });
  }, text);
  await page.evaluate(noteWhenSeen, selector);
  await act();
  // Polling would keep the page busy.
  await page.waitForTimeout(SURELY_SEEN_MS);
  return page.evaluate(async () => (await (window.seen ?? Number.NaN)) - (window.acted ?? Number.NaN));
}

/** Runs in the page: records when the selected element has been painted. */
function noteWhenSeen(selector: string): void {
  window.seen = new Promise((resolve) => {
    const look = () => {
      const found = [...document.querySelectorAll(selector)];
      if (found.some(({ textContent }) => textContent.includes(window.awaited ?? '')))
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      else requestAnimationFrame(look);
    };
    look();
  });
}

declare global {
  interface Window {
    firstTyped?: number;
    sentAt?: number;
    seen?: Promise<number>;
    acted?: number;
    awaited?: string;
  }
}

/** A row for the median of one measured time. */
function timeRow<Name extends string>(
  work: string,
  goalMs: number,
  rounds: readonly Readonly<Record<Name, number>>[],
  name: Name,
): Row {
  const figure = median(rounds.map((round) => round[name]));
  return { work, goal: seconds(goalMs), figure: seconds(figure), holds: figure <= goalMs, command: COMMAND };
}

/** Measures every goal that depends on connection and processor. */
export async function run(rounds = 5): Promise<Row[]> {
  const server = await startProduction();
  const browser = await openBrowser();
  try {
    // A browser's first page is slower.
    await openFirst(browser, server.address, '/login');
    const rows: Row[] = [];
    for (const path of pages) {
      const opened: FirstScreen[] = [];
      for (let round = 0; round < rounds; round += 1) opened.push(await openFirst(browser, server.address, path));
      const shift = Math.max(...opened.map((each) => each.shift));
      rows.push(
        timeRow(`${path}: largest paint`, PAINT_MS, opened, 'paint'),
        timeRow(`${path}: a letter typed stands there`, PAINT_MS, opened, 'typed'),
        timeRow(`${path}: the form, filled in at once, is sent`, PAINT_MS, opened, 'sent'),
        {
          work: `${path}: layout shift`,
          goal: `${SHIFT}`,
          figure: shift.toFixed(3),
          holds: shift <= SHIFT,
          command: COMMAND,
        },
      );
    }
    const visits: Visits[] = [];
    for (let round = 0; round < rounds; round += 1) visits.push(await visit(browser, server.address));
    rows.push(
      timeRow('dashboard with data after logging in, cold', COLD_MS, visits, 'cold'),
      timeRow('dashboard with data, second visit', AGAIN_MS, visits, 'again'),
      timeRow('invoice screen after the tap', TAP_MS, visits, 'tapped'),
    );
    return rows;
  } finally {
    await browser.close();
    await server.stop();
  }
}

if (import.meta.main) console.table(await run(Number(process.argv[2] ?? 5)), ['work', 'goal', 'figure', 'holds']);
