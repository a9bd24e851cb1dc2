import { CALLERS } from '#bench/fills/callers.fill.ts';
import { type BenchDatabase, invoicesFilling, withFilled } from '#bench/fills/filled.ts';
import { inTurns, medianRatio, perSecond, SECONDS } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { type ServerProcess, startProductionServer } from '#bench/server/production-server.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { cookieOf, describeRounds, everybody, openSessions, type ServerRound, serverRound } from './api.ts';
import {
  ADD_ALL_PAGE,
  ADD_OWN_PAGE,
  allPage,
  MAKE_PAGES,
  offsetOf,
  ownPage,
  type Place,
  places,
} from './limit-statements.ts';
import { jsonRequest, LoadProcess, type Request } from './load.ts';
import { findPgbench, HOW_TO_INSTALL, pgbench } from './pgbench.ts';

/**
 * Pages of ten with their exact total, for 64 callers at once: against pgbench, which does the same work as one prepared statement
 * on the same database, and at a million invoices against ten thousand. Both databases are in one PostgreSQL, each with its own
 * server, and the four sides take turns.
 */

const GOAL = 0.3;
const GOAL_AT_A_MILLION = 0.9;
const FEW = 10_000;
const MANY = 1_000_000;

/** Whose list is measured: each of 64 clients' own, or everybody's, as 64 officers see it. */
export type Whose = 'own' | 'all';

/** A filled database with a server on it. */
interface Side {
  readonly database: BenchDatabase;
  readonly sizes: Sizes;
  readonly server: ServerProcess;
}

interface Sizes {
  readonly all: number;
  /** Each client's number of rows and tag, in the order of the callers. */
  readonly own: readonly { readonly rows: number; readonly tag: string }[];
}

async function sizesIn(database: BenchDatabase): Promise<Sizes> {
  const own = await database.query<{ rows: number; tag: string }>(
    `select rows::int, tag from row_counts join businesses on businesses.id = scope
     where list = 'invoices' and scope <= $1 order by scope`,
    [CALLERS],
  );
  const [all] = await database.query<{ rows: number }>(
    `select sum(rows)::int as rows from row_counts where list = 'invoices'`,
  );
  return { all: all?.rows ?? 0, own };
}

/** Stores where pages begin, for pgbench. Both sides only get pages that the shorter lists have too. */
async function notePages(database: BenchDatabase, { all, own }: Sizes): Promise<void> {
  await database.query(MAKE_PAGES);
  for (const place of places) {
    for (const [caller, { rows }] of own.entries()) {
      await database.query(ADD_ALL_PAGE, [place, caller, offsetOf(place, all, caller)]);
      await database.query(ADD_OWN_PAGE, [place, caller, caller + 1, offsetOf(place, rows, caller)]);
    }
  }
  await database.query('analyze bench_pages');
}

/** Requests as the web sends them: a client names their business. */
function requestsFor(whose: Whose, place: Place, sizes: Sizes, shorter: Sizes): Request[] {
  return everybody((caller) => {
    const businessTag = sizes.own[caller]?.tag ?? '';
    const rows = whose === 'all' ? shorter.all : (shorter.own[caller]?.rows ?? 0);
    const page = offsetOf(place, rows, caller) / 10 + 1;
    const cookie = cookieOf(whose === 'all' ? 'staff' : 'client', caller);
    const body = { page, searchPhrase: '', ...(whose === 'all' ? {} : { businessTag }) };
    return jsonRequest(`POST ${API_ROOT}/invoices/paged`, { cookie }, body);
  });
}

interface Found {
  readonly served: ServerRound[];
  readonly limit: number[];
}

async function measure(
  sides: readonly Side[],
  whose: Whose,
  place: Place,
  program: string | undefined,
  load: LoadProcess,
) {
  const found = sides.map((): Found => ({ served: [], limit: [] }));
  const turns: (() => Promise<unknown>)[] = [];
  for (const [index, { database, sizes, server }] of sides.entries()) {
    await openSessions(database);
    const requests = requestsFor(whose, place, sizes, sides[0]?.sizes ?? sizes);
    const script = whose === 'all' ? allPage(place) : ownPage(place);
    turns.push(async () => found[index]?.served.push(await serverRound(load, server, requests)));
    if (program !== undefined)
      turns.push(async () => found[index]?.limit.push(await pgbench(program, database, script, SECONDS)));
  }
  await inTurns(turns);
  return found;
}

function rates({ served }: Found): number[] {
  return served.map(({ rate }) => rate);
}

function rowsOf(whose: Whose, place: Place, found: readonly Found[], command: string): Row[] {
  const list = `list, ${whose === 'own' ? 'client’s own' : 'staff’s all'}, ${place}`;
  const [few, many] = found;
  if (few === undefined || many === undefined) throw new Error('one of the two was not measured');
  const grown = medianRatio(rates(many), rates(few));
  return [
    ...[
      { invoices: FEW, one: few },
      { invoices: MANY, one: many },
    ].map(({ invoices, one }): Row => {
      const ratio = medianRatio(rates(one), one.limit);
      const unmeasured = one.limit.length === 0;
      return {
        work: `${list}, ${invoices.toLocaleString('en')} invoices, 64 connections`,
        goal: `${GOAL} of pgbench`,
        figure: unmeasured ? HOW_TO_INSTALL : `${ratio.toFixed(2)} of pgbench`,
        holds: unmeasured ? 'unmeasured' : ratio >= GOAL,
        command,
        detail: `${describeRounds(one.served)}${unmeasured ? '' : `; pgbench ${perSecond(one.limit)}`}`,
      };
    }),
    {
      work: `${list}, at 1,000,000 invoices against 10,000`,
      goal: `at least ${GOAL_AT_A_MILLION} of the rate`,
      figure: grown.toFixed(2),
      holds: grown >= GOAL_AT_A_MILLION,
      command,
      detail: `${perSecond(rates(many))} against ${perSecond(rates(few))}`,
    },
  ];
}

/** Measures pages of clients' own lists, or of everybody's, on the shorter and the longer lists. */
export async function run(whose: Whose = 'own'): Promise<Row[]> {
  const command = `node bench/api/api-list.ts ${whose}`;
  const program = await findPgbench();
  return withFilled([invoicesFilling(FEW), invoicesFilling(MANY)], async (databases) => {
    const load = new LoadProcess();
    const sides: Side[] = [];
    try {
      for (const database of databases) {
        const sizes = await sizesIn(database);
        await notePages(database, sides[0]?.sizes ?? sizes);
        sides.push({ database, sizes, server: await startProductionServer(database) });
      }
      const rows: Row[] = [];
      for (const place of places)
        rows.push(...rowsOf(whose, place, await measure(sides, whose, place, program, load), command));
      return rows;
    } finally {
      load.end();
      for (const { server } of sides) await server.stop();
    }
  });
}

if (import.meta.main)
  console.table(await run(process.argv[2] === 'all' ? 'all' : 'own'), ['work', 'goal', 'figure', 'holds', 'detail']);
