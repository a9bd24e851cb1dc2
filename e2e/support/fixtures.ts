import { test as base, expect, type Page } from '@playwright/test';
import { post } from './calls.ts';
import { listenForComplaints } from './complaints.ts';
import { startServer } from './server.ts';

/** A running Kasente with its demonstration, as `npm start` serves it. */
export interface Kasente {
  readonly address: string;
  /** The text of the newest message to a recipient. */
  newestMessage(to: string): Promise<string>;
  /** Moves an application's times back by this many days, as if they had passed. */
  letDaysPass(tag: string, days: number): Promise<void>;
  /**
   * Moves today's money and transfers to yesterday, as if it had been midnight in Kampala since; returns yesterday's
   * date.
   */
  letTheDayEnd(): Promise<string>;
  /** Lets a day pass for verified payout accounts. */
  letAccountsWait(): Promise<void>;
  /** Locks an application, as a concurrent change does, until the returned function is called. */
  holdApplication(tag: string): Promise<() => Promise<void>>;
  /** Runs a sweep now instead of at its next time. */
  sweep(name: string): Promise<void>;
  /** The address of the page that plays a provider's phones. */
  phonesOf(provider: 'MTN' | 'Airtel'): string | undefined;
}

interface Message {
  readonly to: string;
  readonly body: string;
}

interface JourneyFixtures {
  /** Errors that this journey provokes; any other one fails it. */
  readonly provoked: readonly RegExp[];
  readonly withoutComplaints: undefined;
}

interface WorkerFixtures {
  readonly complaints: string[];
  readonly kasente: Kasente;
  /**
   * Journeys of another world run on a server that other journeys have not touched, for lists with known contents. Each
   * worker that meets a world starts a server for it, so a file with its own world stays on one worker (`mode:
   * 'default'`).
   */
  readonly world: string;
  /** Settings of the world's server in addition to the usual ones. */
  readonly settings: Readonly<Record<string, string>>;
}

export const test = base.extend<JourneyFixtures, WorkerFixtures>({
  provoked: [[], { option: true }],
  complaints: [async ({ browser }, use) => use(listenForComplaints(browser)), { scope: 'worker' }],
  withoutComplaints: [
    async ({ browser, complaints, provoked }, use) => {
      complaints.length = 0;
      await use(undefined);
      const unexpected = complaints.filter((complaint) => !provoked.some((expected) => expected.test(complaint)));
      // Other people's open tabs would keep calling the server.
      for (const context of browser.contexts()) await context.close();
      expect(unexpected, 'warnings and errors in the console').toEqual([]);
    },
    { auto: true },
  ],
  world: ['shared', { scope: 'worker', option: true }],
  settings: [{}, { scope: 'worker', option: true }],
  kasente: [
    async ({ settings }, use) => {
      const { address, change, hold, sweep, phonesOf, stop } = await startServer(settings);
      const newestMessage = async (to: string): Promise<string> => {
        const response = await fetch(`${address}/api/v1/dev/messages`);
        const messages: Message[] = JSON.parse(await response.text());
        const newest = messages.find((message) => message.to === to);
        if (newest === undefined) throw new Error(`there is no message to ${to}`);
        return newest.body;
      };
      const letDaysPass = (tag: string, days: number): Promise<void> =>
        change(
          `update invoices set submitted_at = submitted_at - $2 * interval '1 day',
            clock_runs_since = clock_runs_since - $2 * interval '1 day', decide_by = decide_by - $2 * interval '1 day',
            decided_at = decided_at - $2 * interval '1 day', due_on = due_on - $2::integer where tag = $1`,
          [tag, days],
        );
      const holdApplication = (tag: string) =>
        hold('select from invoices where tag = $1 or application_tag = $1 for update', [tag]);
      const letAccountsWait = (): Promise<void> =>
        change(`update payout_accounts set verified_at = verified_at - interval '1 day'`, []);
      const letTheDayEnd = async (): Promise<string> => {
        const day = kampalaDay(1);
        // The journal refuses changes; only the owner's session can bypass its triggers.
        await change(
          `set session_replication_role = replica;
          update journal_entries set occurred_on = '${day}' where occurred_on > '${day}';
          update statement_lines set occurred_on = '${day}' where occurred_on > '${day}';
          update statements set from_on = least(from_on, '${day}'), until_on = least(until_on, '${day}');
          update provider_records set asked_at = asked_at - interval '1 day', known_at = known_at - interval '1 day';
          update transfers set created_at = created_at - interval '1 day'
            where (created_at at time zone 'Africa/Kampala')::date > '${day}'`,
          [],
        );
        return day;
      };
      await use({
        address,
        newestMessage,
        letDaysPass,
        letAccountsWait,
        letTheDayEnd,
        holdApplication,
        sweep,
        phonesOf,
      });
      await stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ kasente }, use) => use(kasente.address),
  page: async ({ page }, use) => {
    // A test that waits for a file chooser must intercept it before the key is pressed, not while it is.
    page.on('filechooser', () => undefined);
    await use(page);
    // A reply may still be on its way to a page that is about to close.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
});

export { expect };

export const DEMONSTRATION_PASSWORD = 'Kasente-demo-1';

export const PHONE = { width: 360, height: 740 };
export const DESK = { width: 1366, height: 768 };

/** The date in Kampala, this many days ago. */
export function kampalaDay(daysAgo = 0): string {
  return new Date(Date.now() + 3 * 60 * 60 * 1000 - daysAgo * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

/**
 * Signs in through the API alone: for preparation, and for journeys about a page that is loaded from scratch, which
 * `to` can name. Other journeys enter by {@link logIn}, as people do, so that the tab has what the login screen loaded.
 */
export async function signIn(page: Page, username: string, to?: string): Promise<void> {
  const session = await post(page, 'users/login', { username, password: DEMONSTRATION_PASSWORD });
  // A device keeps data per origin; this is its smallest page without the application.
  await page.goto('/robots.txt');
  await page.evaluate((auth) => localStorage.setItem('auth', auth), JSON.stringify(session));
  if (to !== undefined) await page.goto(to);
}

/** Fills and submits the login form on the screen. */
export async function sendLogin(page: Page, username: string, password = DEMONSTRATION_PASSWORD): Promise<void> {
  await page.getByLabel('Phone or Email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Logs in through the login screen, waits for the dashboard, and continues in the same tab. */
export async function logIn(
  page: Page,
  username: string,
  { password, to }: { readonly password?: string; readonly to?: string } = {},
): Promise<void> {
  await page.goto('/login');
  await sendLogin(page, username, password);
  await expect(page).toHaveURL(/\/home$/);
  // The login screen stays until the dashboard's script has loaded.
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toHaveCount(0);
  if (to !== undefined) await visit(page, to);
}

/** Navigates to an address of the application in this tab without a reload, like the browser's forward button. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  // The previous screen stays until the new one's script has loaded.
  await page.getByRole('progressbar', { name: 'Loading', exact: true }).waitFor({ state: 'detached' });
}

/** Logs out through the menu. */
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

/** A phone number that has not been used in this run. */
export function newPhone(): string {
  phones += 1;
  return `0778${String(phones % 1_000_000).padStart(6, '0')}`;
}
