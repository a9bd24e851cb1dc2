import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';

/** A running Kasente with its demonstration, as `npm start` serves it. */
export interface Kasente {
  readonly address: string;
  /** The text of the newest message to a recipient. */
  newestMessage(to: string): Promise<string>;
}

interface Message {
  readonly to: string;
  readonly body: string;
}

async function start(dataDir: string): Promise<{ process: ChildProcess; address: string }> {
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /Kasente runs at (\S+)/.exec(output);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready:\n${output}`)));
  });
  return { process: server, address };
}

async function stop(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

export const test = base.extend<object, { kasente: Kasente }>({
  kasente: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'kasente-e2e-'));
      // PostgreSQL runs as another user when this is root, and has to get in.
      await chmod(dataDir, 0o755);
      const { process: server, address } = await start(dataDir);
      const newestMessage = async (to: string): Promise<string> => {
        const response = await fetch(`${address}/api/v1/dev/messages`);
        const messages: Message[] = JSON.parse(await response.text());
        const newest = messages.find((message) => message.to === to);
        if (newest === undefined) throw new Error(`there is no message to ${to}`);
        return newest.body;
      };
      await use({ address, newestMessage });
      await stop(server);
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ kasente }, use) => use(kasente.address),
});

export { expect };

export const DEMONSTRATION_PASSWORD = 'Kasente-demo-1';

/** Logs in by the login screen and waits for the dashboard. */
export async function logIn(page: Page, username: string, password = DEMONSTRATION_PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Phone or Email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/home$/);
}

/** Logs out by the menu. */
export async function logOut(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: 'Log Out' })
    .or(page.getByRole('button', { name: 'Log Out' }))
    .click();
  await expect(page).toHaveURL(/\/login$/);
}

/** The only group of five digits in a message. */
export function codeIn(message: string): string {
  const found = /(?<!\d)\d{5}(?!\d)/.exec(message);
  if (found === null) throw new Error(`there is no code in: ${message}`);
  return found[0];
}

let phones = Math.floor(Math.random() * 1_000_000);

/** A phone number that nobody of this run has used. */
export function newPhone(): string {
  phones += 1;
  return `0778${String(phones % 1_000_000).padStart(6, '0')}`;
}
