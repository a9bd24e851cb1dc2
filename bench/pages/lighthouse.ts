import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import lighthouse, { type Flags } from 'lighthouse';
import { median } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { chromium as bundled } from '#scripts/chromium.mjs';
import { freePort } from '#testing/free-port.ts';
import { CLIENT, startProduction } from './first-screen.server.ts';
import { INVOICES } from './phone.ts';

/**
 * Lighthouse's median scores of four screens on a simulated phone.
 *
 *   node bench/pages/lighthouse.ts [rounds, default 3]
 */

const COMMAND = 'node bench/pages/lighthouse.ts';
const goals = { performance: 98, accessibility: 100, 'best-practices': 100 } as const;
type Category = keyof typeof goals;
const categories = ['performance', 'accessibility', 'best-practices'] as const satisfies readonly Category[];

/** Opens a browser whose session Playwright and Lighthouse share. */
async function openShared(folder: string, port: number): Promise<BrowserContext> {
  const { args, ...options } = await bundled();
  return chromium.launchPersistentContext(folder, { ...options, args: [...args, `--remote-debugging-port=${port}`] });
}

/** Logs in, and returns the address of the newest invoice. */
async function logIn(context: BrowserContext, address: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(`${address}/login`);
  await page.locator('input[name=username]').fill(CLIENT.username);
  await page.locator('input[name=password]').fill(CLIENT.password);
  await page.keyboard.press('Enter');
  const invoice = (await page.locator(INVOICES).first().getAttribute('href')) ?? '';
  await page.close();
  return address + invoice;
}

type Scores = Readonly<Record<Category, number>>;

async function score(url: string, port: number): Promise<Scores> {
  // Keeps the session. Lighthouse clears the cache before each page anyway.
  const flags: Flags = {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...categories],
    disableStorageReset: true,
  };
  const result = await lighthouse(url, flags);
  if (result === undefined || result.lhr.runtimeError !== undefined)
    throw new Error(`Lighthouse could not open ${url}: ${result?.lhr.runtimeError?.message}`);
  for (const { id, score: reached, title } of Object.values(result.lhr.audits))
    if (reached !== null && reached < 0.9 && process.env.DEBUG !== undefined)
      console.log(`  ${id} ${reached}: ${title}`);
  const of = (category: Category) => Math.round((result.lhr.categories[category]?.score ?? 0) * 100);
  return { performance: of('performance'), accessibility: of('accessibility'), 'best-practices': of('best-practices') };
}

/** Measures each screen. */
export async function run(rounds = 3): Promise<Row[]> {
  const server = await startProduction();
  const folder = await mkdtemp(join(tmpdir(), 'kasente-lighthouse-'));
  const port = await freePort();
  const context = await openShared(folder, port);
  try {
    const measure = async (name: string, url: string): Promise<Row> => {
      const all: Scores[] = [];
      for (let round = 0; round < rounds; round += 1) all.push(await score(url, port));
      const reached = categories.map((category) => median(all.map((scores) => scores[category])));
      return {
        work: `Lighthouse, mobile: ${name}`,
        goal: categories.map((category) => goals[category]).join(' / '),
        figure: reached.join(' / '),
        holds: categories.every((category, index) => (reached[index] ?? 0) >= goals[category]),
        command: COMMAND,
      };
    };
    const rows = [
      await measure('/login', `${server.address}/login`),
      await measure('/signup', `${server.address}/signup`),
    ];
    const invoice = await logIn(context, server.address);
    rows.push(await measure('dashboard', `${server.address}/home`), await measure('invoice screen', invoice));
    return rows;
  } finally {
    await context.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) console.table(await run(Number(process.argv[2] ?? 3)), ['work', 'goal', 'figure', 'holds']);
