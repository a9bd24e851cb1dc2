import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, type TestInfo } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Beginnings, checks and endings of journeys on a bad line. */

export const START = '/application/start';

/** The save of a form, as the browser sends it. */
export const SAVES = '**/api/v1/invoices';

/** Fills the invoice's card, all of it right. */
export async function fillInvoice(page: Page, number: string): Promise<void> {
  await page.getByLabel('Invoice number').fill(number);
  await page.getByRole('textbox', { name: 'Invoice date' }).fill('5 Jan 2026');
  await page.getByRole('textbox', { name: 'Invoice date' }).press('Tab');
  await page.getByLabel('Amount', { exact: true }).fill('1000000');
  for (const [field, option] of [
    ['Currency', 'UGX'],
    ['Buyer', 'Pearl Hotels Group'],
  ] as const) {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
}

/** The typing that the device keeps, of everybody who used it. */
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

/** The saves that the browser sends from now on, as they were sent. */
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

/** The invoices with that number that the server has for the logged-in person. */
export async function onServer(page: Page, number: string): Promise<Listed[]> {
  const answer = await page.request.post('/api/v1/invoices/paged', {
    headers: { 'X-Requested-With': 'fetch' },
    data: { page: 1, size: 100, businessTag: '' },
  });
  expect(answer.status()).toBe(200);
  const rows: Listed[] = await answer.json();
  return rows.filter(({ invoice_number }) => invoice_number === number);
}

/** A browser with a profile on the disk, which can be killed and started again. */
export interface LastingBrowser {
  readonly open: () => Promise<BrowserContext>;
  /** Kills every process of it, as a phone does that runs out of memory. */
  readonly kill: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Starts nothing yet; the profile is new. */
export async function lastingBrowser({ project }: TestInfo, baseURL: string): Promise<LastingBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'kasente-profile-'));
  let context: BrowserContext | undefined;
  const open = async (): Promise<BrowserContext> => {
    const { launchOptions, locale, timezoneId } = project.use;
    context = await chromium.launchPersistentContext(profile, {
      ...launchOptions,
      headless: true,
      baseURL,
      viewport: { width: 360, height: 740 },
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
        // It went with the one before.
      }
    }
    await context?.close().catch(() => undefined);
  };
  return { open, kill, remove: () => rm(profile, { recursive: true, force: true, maxRetries: 5 }) };
}
