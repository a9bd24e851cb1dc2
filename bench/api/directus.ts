import { type BenchDatabase, invoicesFilling, withFilled } from '#bench/fills/filled.ts';
import { inTurns, median, medianRatio, perSecond, SECONDS, WARM_UP_SECONDS } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { startProductionServer } from '#bench/server/production-server.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { cookieOf, everybody, openSessions } from './api.ts';
import { newInvoices } from './api-save.ts';
import { directusFilling, directusToken, ITEMS, installDirectus, startDirectus } from './directus.server.ts';
import { jsonRequest, type Loaded, LoadProcess, type Request } from './load.ts';

/**
 * The same work by Directus 12.4, on the same PostgreSQL, in turns: 64 users create invoices, and look at pages of ten of ten thousand
 * with their exact total. Directus keeps an activity log and revisions, as Kasente audits. In its favour, it joins no names,
 * checks no numbers for uniqueness and has no idempotency keys.
 *
 *   node bench/api/directus.ts
 */

const COMMAND = 'node bench/api/directus.ts';
const INVOICES = 10_000;
const goals = { saves: 5, lists: 4, p99: 4 } as const;

const LIST = `${ITEMS}?limit=10&sort=-listed_on,-id&meta=total_count&page=`;
const PAGES = { first: 1, middle: INVOICES / 20, last: INVOICES / 10 } as const;

function asUser(line: string, caller: number, body: unknown): Request {
  const { head, body: text } = jsonRequest(line, { cookie: 'none=1' }, body);
  return { head: `${head}authorization: Bearer ${directusToken(caller)}\r\n`, body: text };
}

function theirCreates(): Request[] {
  const item = {
    business_id: 1,
    buyer_id: 1001,
    currency_id: 1,
    invoice_number: 'LOAD-__N__',
    invoice_date: '2026-01-05',
    face_value: 1_000_000,
  };
  return everybody((caller) => asUser(`POST ${ITEMS}`, caller, item));
}

function theirLists(page: number): Request[] {
  return everybody((caller) => {
    const { head } = asUser(`GET ${LIST}${page}`, caller, '');
    return { head: head.replace('content-type: application/json\r\n', ''), body: '' };
  });
}

function ourLists(page: number): Request[] {
  return everybody((caller) =>
    jsonRequest(`POST ${API_ROOT}/invoices/paged`, { cookie: cookieOf('staff', caller) }, { page }),
  );
}

interface Pair {
  readonly work: string;
  readonly goal: number;
  readonly ours: () => Promise<Request[]>;
  readonly theirs: () => Request[];
}

function pairs(database: BenchDatabase): Pair[] {
  const lists = Object.entries(PAGES).map(([place, page]) => ({
    work: `list, staff’s all, ${place} page of ${INVOICES.toLocaleString('en')}`,
    goal: goals.lists,
    ours: async () => ourLists(page),
    theirs: () => theirLists(page),
  }));
  const creates = {
    work: 'save an invoice (a new one)',
    goal: goals.saves,
    ours: () => newInvoices(database),
    theirs: theirCreates,
  };
  return [creates, ...lists];
}

function rowsOf({ work, goal }: Pair, ours: readonly Loaded[], theirs: readonly Loaded[]): Row[] {
  const rates = (rounds: readonly Loaded[]) => rounds.map(({ rate }) => rate);
  const slow = (rounds: readonly Loaded[]) => rounds.map(({ p99Ms }) => p99Ms);
  const ratio = medianRatio(rates(ours), rates(theirs));
  const row: Row = {
    work: `${work}, 64 connections, against Directus 12.4`,
    goal: `${goal} times its rate`,
    figure: `${ratio.toFixed(1)} times`,
    holds: ratio >= goal,
    command: COMMAND,
    detail: `${perSecond(rates(ours))} against ${perSecond(rates(theirs))}`,
  };
  if (goal !== goals.saves) return [row];
  const share = medianRatio(slow(ours), slow(theirs));
  return [
    row,
    {
      ...row,
      work: `${work}, 64 connections, p99 against Directus 12.4`,
      goal: `at most 1/${goals.p99} of its p99`,
      figure: `${share.toFixed(3)} of its p99`,
      holds: share <= 1 / goals.p99,
      detail: `${median(slow(ours)).toFixed(1)} ms against ${median(slow(theirs)).toFixed(1)} ms`,
    },
  ];
}

export async function run(): Promise<Row[]> {
  const reason = await installDirectus().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message.split('\n')[0] : String(error)),
  );
  if (reason !== undefined) {
    const figure = `Directus could not be installed: ${reason}`;
    return [{ work: 'against Directus 12.4', goal: '5 and 4 times', figure, holds: 'unmeasured', command: COMMAND }];
  }
  return withFilled([invoicesFilling(INVOICES), directusFilling(INVOICES)], async ([database, theirDatabase]) => {
    if (database === undefined || theirDatabase === undefined) throw new Error('no database');
    await openSessions(database);
    const servers = [await startProductionServer(database), await startDirectus(theirDatabase)] as const;
    const load = new LoadProcess();
    const times = { seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS };
    try {
      const rows: Row[] = [];
      for (const pair of pairs(database)) {
        const ours: Loaded[] = [];
        const theirs: Loaded[] = [];
        const requests = await pair.ours();
        await inTurns([
          async () => ours.push(await load.run({ port: servers[0].port, requests, ...times })),
          async () => theirs.push(await load.run({ port: servers[1].port, requests: pair.theirs(), ...times })),
        ]);
        rows.push(...rowsOf(pair, ours, theirs));
      }
      return rows;
    } finally {
      load.end();
      for (const server of servers) await server.stop();
    }
  });
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
