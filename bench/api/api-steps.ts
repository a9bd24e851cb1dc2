import { randomUUID } from 'node:crypto';
import { CALLERS } from '#bench/fills/callers.fill.ts';
import { ADD_DOCUMENTS, addCases, type Phase, tagExpression } from '#bench/fills/cases.fill.ts';
import { type BenchDatabase, type Filling, invoicesFilling } from '#bench/fills/filled.ts';
import { ROUNDS } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { sampleDocument } from '#server/demonstration/sample-document.ts';
import { againstPgbench } from './against-pgbench.ts';
import { cookieOf, everybody, serverRound } from './api.ts';
import { CHANGE_INVOICE } from './limit-statements.ts';
import { jsonRequest, type Request } from './load.ts';

/**
 * The changing calls of the main job and the desk, 64 at once, each on its own application: 64 clients upload and submit, 64 officers
 * take, review, approve and record repayments. The ratio is to pgbench's changed invoices.
 *
 *   node bench/api/api-steps.ts
 */

const INVOICES = 10_000;
/** Each caller's applications in a round. */
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

/** The goal: this many times the share of pgbench at e635149 (docs/decisions/0039-one-road.md). */
const TIMES = 2.5;

interface Step {
  readonly work: string;
  /** Its share of pgbench at e635149, measured by this file there. */
  readonly before: number;
  readonly on: Phase;
  readonly by: 'client' | 'staff';
  /** A caller's request for the target `__NEXT__`. */
  readonly request: (cookie: string) => Pick<Request, 'head' | 'body'>;
}

function post(path: string, body: unknown = {}) {
  return (cookie: string) => jsonRequest(`POST ${API_ROOT}${path}`, { cookie, key: true }, body);
}

/** A repayment of the whole advance. */
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

const SEVEN_DIGITS = '1234567'; // as long as the number for `__N__`

/** A small PDF of an optional document type, a new one each time; fields first, as the web sends them. */
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

export function run(): Promise<Row[]> {
  return againstPgbench(
    {
      command: 'node bench/api/api-steps.ts',
      filling: casesFilling,
      settings: {
        FUNDING_LIMIT_START: 'UGX:2000000000',
        FUNDING_LIMIT_MAXIMUM: 'UGX:2000000000',
        RECEIPTS_ALONE_UP_TO: 'UGX:2000000000',
      },
      prepare: (database) => database.query(ADD_DOCUMENTS),
    },
    steps.map(({ work, before, on, by, request }) => ({
      work: `${work}, 64 connections`,
      goal: TIMES * before,
      limit: CHANGE_INVOICE,
      measure: async ({ database, load, server }, round) => {
        const targets = await targetsOf(database, on, round);
        const requests = everybody((caller) => ({
          ...request(cookieOf(by, caller)),
          targets: targets[caller] ?? [],
        }));
        return serverRound(load, server, requests, { seconds: undefined, warmUpSeconds: 0 });
      },
      remark: (ratio) => `${(ratio / before).toFixed(1)} times e635149`,
    })),
  );
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
