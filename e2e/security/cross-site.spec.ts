import { type Browser, type Page, test } from '@playwright/test';
import { get, post } from '#e2e/support/calls.ts';
import { expect, signIn } from '#e2e/support/fixtures.ts';
import { startServer, type TestServer } from '#e2e/support/server.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import {
  attackByNavigating,
  attackFromWithin,
  callFromWithin,
  serveHostilePages,
  type Target,
} from './cross-site-attacks.ts';
import { arrangeRows, readTargets } from './cross-site-targets.ts';

/**
 * Another site's page in a logged-in person's browser changes nothing, whatever it makes the browser send
 * (docs/specification-coverage.md, 'Deliberate departures'). One hostile page is on another site; the other is on
 * another port of this machine, which is the same site, so the browser sends the session's cookie with it.
 */

/** For `npm test`: the application's most frequent calls, for each method and body type. */
const SHORT = [
  'saveInvoice',
  'submitApplication',
  'submitApplication_1',
  'submitApplication_2',
  'logout',
  'logout_1',
  'addBusiness',
  'uploadPart',
];

// One server serves all tests.
test.describe.configure({ mode: 'default' });

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.stop());
// A stopping server waits for connections that are kept open.
test.afterEach(async ({ browser }) => {
  for (const context of browser.contexts()) await context.close();
});

/**
 * For each table, a hash of all its rows, without the time at which a session was last used and without changes made by
 * scheduled jobs.
 */
async function allRows(): Promise<ReadonlyMap<string, string>> {
  const tables = await server.look<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'audit_anchor%'`,
  );
  const hashes = tables.map(
    ({ name }) => `select '${name}' as name,
      md5(coalesce(string_agg((to_jsonb(t) - 'last_active_at')::text, '|' order by to_jsonb(t)::text), '')) as hash from "${name}" t`,
  );
  const rows = await server.look<{ name: string; hash: string }>(hashes.join(' union all '));
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/** Waits until messages to people have been sent before anything is compared. */
async function quietRows(): Promise<ReadonlyMap<string, string>> {
  let last = await allRows();
  await expect
    .poll(
      async () => {
        const [before, now] = [last, await allRows()];
        last = now;
        return changedTables(before, now);
      },
      { intervals: [100] },
    )
    .toEqual([]);
  return last;
}

function changedTables(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name);
}

async function signedIn(browser: Browser, username: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.address });
  const page = await context.newPage();
  await signIn(page, username);
  return page;
}

/** How often a route has refused; proves that an attack reached it. */
async function refusals(route: string, method: string): Promise<number> {
  const metrics = await (await fetch(`${server.address}/metrics`)).text();
  const line = metrics
    .split('\n')
    .find((text) =>
      text.startsWith(`http_request_duration_seconds_count{method="${method}",route="${route}",status="403"}`),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

async function victims(browser: Browser) {
  const client = await signedIn(browser, '0700000001');
  const admin = await signedIn(browser, 'admin@kasente.test');
  const people = await post<{ tag: string; username: string }[]>(admin, 'persons', { size: 100 });
  const { user } = await get<{ user: { bizTag: string } }>(client, 'users/session');
  const other = people.find(({ username }) => username === '0700000002')?.tag ?? '';
  const rows = await arrangeRows(client, other, user.bizTag);
  // Otherwise clients would be told that the SLA was missed.
  await server.change(`update invoices set decide_by = decide_by + interval '1 year'`, []);
  return { client, admin, targets: await readTargets(client, rows) };
}

/** Lists and checks that are read by POST, and reports sent by browsers. */
const READS_BY_POST =
  /^(createGuid|deskQueue|earnedRaises|list(Businesses|Invoices|Persons)|reportCsp|validateApplication)(_\d)?$/;
/** Two calls are accepted as GET too (docs/specification-coverage.md, 7). */
const CHANGES_BY_GET = /^(submitApplication|logout)_\d$/;

function isChanging({ method, name }: Target): boolean {
  return method === 'GET' ? CHANGES_BY_GET.test(name) : !READS_BY_POST.test(name);
}

test('a page of another site or another origin changes nothing', async ({ browser }) => {
  test.setTimeout(full ? 3_600_000 : 120_000);
  const { client, admin, targets: all } = await victims(browser);
  const changing = all.filter(isChanging);
  const targets = full ? changing : changing.filter(({ name }) => SHORT.includes(name));
  expect(targets.length).toBeGreaterThanOrEqual(full ? 40 : SHORT.length);
  const hostile = await serveHostilePages();
  const before = await quietRows();
  const origins = [`http://localhost:${hostile.port}`, `http://127.0.0.1:${hostile.port}`];
  const attack = async (victim: Page, origin: string): Promise<number> => {
    const page = await victim.context().newPage();
    await page.goto(`${origin}/`);
    const within = await attackFromWithin(page, server.address, targets);
    const leaving = full ? targets : targets.slice(0, 3);
    // The page closes with its context: late in a long run Chromium sometimes never confirms that it has closed one.
    return within + (await attackByNavigating(page, `${origin}/`, server.address, leaving));
  };
  const attacks = [client, admin].flatMap((victim) => origins.map((origin) => attack(victim, origin)));
  const tried = (await Promise.all(attacks)).reduce((sum, count) => sum + count, 0);
  hostile.close();
  expect(changedTables(before, await quietRows())).toEqual([]);
  // They arrive and are refused. Before a PUT or DELETE the browser sends a preflight, which gets no permission.
  for (const { name, route, method } of targets.filter(
    (target) => target.method === 'POST' || target.method === 'GET',
  )) {
    expect([name, (await refusals(route, method)) > 0]).toEqual([name, true]);
  }
  for (const page of [client, admin]) expect((await page.request.get('/api/v1/users/session')).status()).toBe(200);
  proved(
    'cross-site',
    `${tried} requests tried from ${origins.length} origins in 2 victims’ browsers against ${targets.length} changing ways to call: 0 changes in any table`,
  );
});

test('the canary: the same calls from a page of our own origin do change something', async ({ browser }) => {
  const { client, admin, targets } = await victims(browser);
  const changed: string[] = [];
  const wanted = [
    [client, 'saveInvoice'],
    [client, 'uploadPart'],
    [client, 'submitApplication_1'],
    [admin, 'addBusiness'],
    [client, 'logout_1'],
  ] as const;
  let before = await quietRows();
  for (const [victim, name] of wanted) {
    const target = targets.find((one) => one.name === name);
    if (target === undefined) throw new Error(`there is no ${name}`);
    await victim.goto('/privacy-policy'); // pages that are not the application's may call nobody: their policy says so
    expect([name, await callFromWithin(victim, target)]).toEqual([name, 200]);
    const after = await quietRows();
    expect(changedTables(before, after).length, name).toBeGreaterThan(0);
    before = after;
    changed.push(name);
  }
  canaryFound('cross-site', `${changed.join(', ')} called from a page of our own origin were each seen to change rows`);
});
