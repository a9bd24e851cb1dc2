import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, type Route, type TestInfo } from '@playwright/test';
import { post } from './calls.ts';
import { expect, PHONE } from './fixtures.ts';

/** Set-up, checks and clean-up of journeys on a bad connection. */

export const START = '/application/start';

/** A form's save, as the browser sends it. */
export const SAVES = '**/api/v1/invoices';

/** The state of saving shown on the screen. */
export const state = (page: Page) => page.getByRole('status').filter({ hasText: /^(Saved|Saving|Not saved|Saves)/ });

export const SAVED = /^Saved \d\d:\d\d$/;

/** Aborts saves on their way until the returned function is called. */
export async function cutSaves(page: Page): Promise<() => Promise<void>> {
  const cut = (route: Route) => (route.request().method() === 'POST' ? route.abort() : route.fallback());
  await page.context().route(SAVES, cut);
  return () => page.context().unroute(SAVES, cut);
}

/** Opens a draft in its original state. */
export async function openDraft(page: Page, tag: string): Promise<void> {
  await page.goto(`/invoice-discounting-application/${tag}`);
  await expect(page.getByLabel('Amount applied for')).toHaveValue('900,000.00');
}

/** Types the beginning of a new invoice, which the device keeps. */
export async function beginInvoice(page: Page, number: string, device = 'phone'): Promise<void> {
  await page.goto(START);
  await page.getByLabel('Invoice number').fill(number);
  await expect(state(page)).toContainText(`Saved on this ${device}`);
}

let numbers = Date.now();

/** An unused invoice number. */
export function newNumber(): string {
  numbers += 1;
  return `LINE-${numbers}`;
}

/** The typing that the device keeps, for everybody who used it. */
export function keptTyping(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await answer(indexedDB.open('kasente'));
    try {
      if (!database.objectStoreNames.contains('unsaved-typing')) return '[]';
      return JSON.stringify(
        await answer(database.transaction('unsaved-typing').objectStore('unsaved-typing').getAll()),
      );
    } finally {
      database.close();
    }
  });
}

/** The saves that the browser sends from now on. */
export function watchSaves(page: Page): { key: string | undefined; body: Record<string, Record<string, unknown>> }[] {
  const saves: ReturnType<typeof watchSaves> = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/api/v1/invoices')) return;
    saves.push({ key: request.headers()['idempotency-key'], body: request.postDataJSON() });
  });
  return saves;
}

interface Listed {
  readonly tag: string;
  readonly invoice_number: string;
}

/** The logged-in person's invoices with that number on the server. */
export async function onServer(page: Page, number: string): Promise<Listed[]> {
  const rows = await post<Listed[]>(page, 'invoices/paged', { page: 1, size: 100, businessTag: '' });
  return rows.filter(({ invoice_number }) => invoice_number === number);
}

/** A browser with a profile on disk that can be killed and started again. */
export interface LastingBrowser {
  readonly open: () => Promise<BrowserContext>;
  /** Kills all of its processes, as a phone does when it runs out of memory. */
  readonly kill: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Prepares a new profile; starts nothing yet. */
export async function lastingBrowser({ project }: TestInfo, baseURL: string): Promise<LastingBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'kasente-profile-'));
  let context: BrowserContext | undefined;
  const open = async (): Promise<BrowserContext> => {
    const { launchOptions, locale, timezoneId } = project.use;
    context = await chromium.launchPersistentContext(profile, {
      ...launchOptions,
      headless: true,
      baseURL,
      viewport: PHONE,
      ...(locale === undefined ? {} : { locale }),
      ...(timezoneId === undefined ? {} : { timezoneId }),
    });
    return context;
  };
  const kill = async (): Promise<void> => {
    const processes = execFileSync('ps', ['ax', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    const own = processes.filter((line) => line.includes(profile)).map((line) => Number.parseInt(line, 10));
    for (const pid of own) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It died with the previous process.
      }
    }
    await context?.close().catch(() => undefined);
  };
  return { open, kill, remove: () => rm(profile, { recursive: true, force: true, maxRetries: 5 }) };
}
