import { randomUUID } from 'node:crypto';
import { CALLERS } from '#bench/fills/callers.fill.ts';
import { ADD_DOCUMENTS, addCases, type Phase, tagExpression } from '#bench/fills/cases.fill.ts';
import { type BenchDatabase, type Filling, invoicesFilling, withFilled } from '#bench/fills/filled.ts';
import { inTurns, medianRatio, perSecond, ROUNDS, SECONDS } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { startProductionServer } from '#bench/server/production-server.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { sampleDocument } from '#server/demonstration/sample-document.ts';
import { cookieOf, everybody, openSessions, type ServerRound, serverRound, told } from './api.ts';
import { CHANGE_INVOICE } from './limit-statements.ts';
import { jsonRequest, LoadProcess, type Request } from './load.ts';
import { findPgbench, HOW_TO_INSTALL, pgbench } from './pgbench.ts';

/**
 * The changing calls of the main job and the desk, 64 at once, each on an application of its own: 64 clients upload and submit,
 * 64 officers take, review, approve and record what was paid back. The ratio is to pgbench's changed invoices, in turns.
 *
 *   node bench/api/api-steps.ts
 */

const COMMAND = 'node bench/api/api-steps.ts';
const INVOICES = 10_000;
/** How many applications each caller has for a round. */
const EACH = 6;
const OPTIONAL_TYPE = 4;

const invoices = invoicesFilling(INVOICES);
const casesFilling: Filling = {
  kind: `cases_${ROUNDS}`,
  files: [...invoices.files, 'fills/cases.fill.ts'],
  fill: async (db, database) => {
    await invoices.fill(db, database);
    await addCases(db, ROUNDS * EACH);
  },
};

/** How many times their share of pgbench at e635149 the calls are to have (docs/decisions/0039-one-road.md). */
const TIMES = 2.5;

interface Step {
  readonly work: string;
  /** Its share of pgbench at e635149, measured by this file there. */
  readonly before: number;
  readonly on: Phase;
  readonly by: 'client' | 'staff';
  /** The request of a caller for `__NEXT__`. */
  readonly request: (cookie: string) => Pick<Request, 'head' | 'body'>;
}

function post(path: string, body: unknown = {}) {
  return (cookie: string) => jsonRequest(`POST ${API_ROOT}${path}`, { cookie, key: true }, body);
}

/** The whole advance of what is paid out. */
const RECEIPT = {
  method: 'bank',
  reference: 'BK-__NEXT__',
  date: kampalaDate(new Date()),
  amount: 100_000,
  payer: 'buyer',
  confirmed: true,
} as const;

const steps: readonly Step[] = [
  { work: 'upload a document', before: 0.055, on: 'ready', by: 'client', request: upload },
  {
    work: 'submit an application',
    before: 0.053,
    on: 'ready',
    by: 'client',
    request: post('/applications/__NEXT__/submit'),
  },
  { work: 'take a case', before: 0.26, on: 'ready', by: 'staff', request: post('/desk/cases/__NEXT__/take') },
  {
    work: 'start a review',
    before: 0.18,
    on: 'ready',
    by: 'staff',
    request: post('/desk/cases/__NEXT__/start_review'),
  },
  { work: 'approve', before: 0.13, on: 'ready', by: 'staff', request: post('/desk/cases/__NEXT__/approve') },
  {
    work: 'record a receipt',
    before: 0.14,
    on: 'paidOut',
    by: 'staff',
    request: post('/applications/__NEXT__/receipts', RECEIPT),
  },
];

const SEVEN_DIGITS = '1234567'; // as long as what replaces `__N__`

/** A small PDF, another one each time, for a type of document that nobody must send; fields first, as the web sends them. */
function upload(cookie: string): Pick<Request, 'head' | 'body'> {
  const boundary = `kasente-${randomUUID()}`;
  const part = (disposition: string, content: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const { head } = post('/files/upload')(cookie);
  const pdf = sampleDocument(SEVEN_DIGITS).toString('latin1').replace(SEVEN_DIGITS, '__N__');
  return {
    head: head.replace('content-type: application/json', `content-type: multipart/form-data; boundary=${boundary}`),
    body: [
      part('name="invoiceTag"', '__NEXT__'),
      part('name="typeId"', String(OPTIONAL_TYPE)),
      part('name="file"; filename="scan.pdf"', pdf),
      `--${boundary}--\r\n`,
    ].join(''),
  };
}

/** The tags of a round's applications, by caller. */
async function targetsOf(database: BenchDatabase, on: Phase, round: number): Promise<string[][]> {
  const rows = await database.query<{ tags: string[] }>(
    `select array_agg(${tagExpression(on)}::text) as tags
     from generate_series(0, $1 - 1) as client, generate_series($2::integer * $3, ($2 + 1) * $3 - 1) as n
     group by client order by client`,
    [CALLERS, round, EACH],
  );
  return rows.map(({ tags }) => tags);
}

function goalOf({ before }: Step): string {
  return `${(TIMES * before).toFixed(2)} of pgbench`;
}

function rowOf(step: Step, limit: readonly number[], server: readonly ServerRound[]): Row {
  const ratio = medianRatio(
    server.map(({ rate }) => rate),
    limit,
  );
  const { work, before } = step;
  return {
    work: `${work}, 64 connections`,
    goal: goalOf(step),
    figure: `${ratio.toFixed(2)} of pgbench`,
    holds: ratio >= TIMES * before,
    command: COMMAND,
    detail: `${(ratio / before).toFixed(1)} times e635149; ${told(server)}; pgbench ${perSecond(limit)}`,
  };
}

async function measure(program: string, database: BenchDatabase): Promise<Row[]> {
  const server = await startProductionServer(database, { FUNDING_LIMIT_START: 'UGX:2000000000' });
  const load = new LoadProcess();
  const rows: Row[] = [];
  try {
    await database.query(ADD_DOCUMENTS);
    for (const step of steps) {
      await openSessions(database);
      const limit: number[] = [];
      const served: ServerRound[] = [];
      await inTurns([
        async () => limit.push(await pgbench(program, database, CHANGE_INVOICE, SECONDS)),
        async () => {
          const targets = await targetsOf(database, step.on, served.length);
          const requests = everybody((caller) => ({
            ...step.request(cookieOf(step.by, caller)),
            targets: targets[caller] ?? [],
          }));
          served.push(await serverRound(load, server, requests, { seconds: undefined, warmUpSeconds: 0 }));
        },
      ]);
      rows.push(rowOf(step, limit, served));
    }
    return rows;
  } finally {
    load.end();
    await server.stop();
  }
}

export async function run(): Promise<Row[]> {
  const program = await findPgbench();
  if (program === undefined)
    return steps.map((step) => ({
      work: step.work,
      goal: goalOf(step),
      figure: HOW_TO_INSTALL,
      holds: 'unmeasured',
      command: COMMAND,
    }));
  return withFilled([casesFilling], async ([database]) => {
    if (database === undefined) throw new Error('no database');
    return measure(program, database);
  });
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
