import { type BenchDatabase, invoicesFilling, withFilled } from '#bench/fills/filled.ts';
import { inTurns, medianRatio, perSecond, SECONDS } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { startProductionServer } from '#bench/server/production-server.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { cookieOf, everybody, openSessions, type ServerRound, serverRound, told } from './api.ts';
import { CHANGE_APPLICATION, CHANGE_INVOICE, CREATE_INVOICE } from './limit-statements.ts';
import { jsonRequest, LoadProcess, type Request } from './load.ts';
import { findPgbench, HOW_TO_INSTALL, pgbench } from './pgbench.ts';

/**
 * Saves of 64 clients at once against pgbench, which does the same as one prepared statement on the same database:
 * session, row, audit event. The server checks, validates, prices and keeps the answer of each Idempotency-Key
 * besides. Between both sides there are rounds in turn; the ratio is the median of the rounds' ratios.
 *
 *   node bench/api/api-save.ts
 */

const COMMAND = 'node bench/api/api-save.ts';
const GOAL = 0.42;
const INVOICES = Number(process.env.BENCH_INVOICES ?? 1_000_000);

interface Draft {
  readonly tag: string;
  readonly version: number;
  readonly application_tag: string | null;
  readonly application_version: number | null;
  readonly application_reference: string | null;
  readonly buyer_id: number;
  readonly person_tag: string;
  readonly business_tag: string;
}

/** The drafts that the server writes to, as they are now, in the order of the callers. */
async function drafts(database: BenchDatabase, kind: 'invoice' | 'application'): Promise<Draft[]> {
  return database.query<Draft>(
    `select invoices.tag, invoices.version, application_tag, application_version, application_reference, buyer_id,
       persons.tag as person_tag, businesses.tag as business_tag
     from generate_series(0, 63) as n
     join invoices on invoices.tag = md5($1 || n)::uuid
     join businesses on businesses.id = invoices.business_id
     join persons on persons.business_id = businesses.id
     order by n`,
    [`server-${kind}-`],
  );
}

const POST = `POST ${API_ROOT}/invoices`;

/** As the web sends a save of the invoice form; without `tag` it makes a new one. */
function invoiceSave(draft: Draft, caller: number, isNew: boolean): Request {
  const invoice = {
    businessTag: draft.business_tag,
    invoiceNumber: isNew ? 'LOAD-__N__' : `DRAFT-${caller}`,
    date: '2026-01-05',
    currencyId: 1,
    buyerId: draft.buyer_id,
    amount: isNew ? 1_000_000 : '__N__',
    ...(isNew ? {} : { tag: draft.tag, version: '__VERSION__' }),
  };
  const body = { userTag: draft.person_tag, invoice };
  return { ...jsonRequest(POST, { cookie: cookieOf('client', caller), key: true }, body), version: draft.version };
}

/** As the web sends a save of the application form, without the helper values that hang on the amount. */
function applicationSave(draft: Draft, caller: number): Request {
  const application = {
    invoiceTag: draft.tag,
    reference: draft.application_reference,
    applicationDate: '2026-11-01',
    amountAppliedFor: '__N__',
    financingPeriodId: 3,
    tag: draft.application_tag,
    version: '__VERSION__',
  };
  const body = { userTag: draft.person_tag, application };
  const version = draft.application_version ?? 1;
  return { ...jsonRequest(POST, { cookie: cookieOf('client', caller), key: true }, body), version };
}

/** One for each client: a save of their draft, with another amount each time. */
export function invoiceSaves(database: BenchDatabase): Promise<Request[]> {
  return forDrafts(database, 'invoice', (draft, caller) => invoiceSave(draft, caller, false));
}

/** One for each client: a new invoice each time. */
export function newInvoices(database: BenchDatabase): Promise<Request[]> {
  return forDrafts(database, 'invoice', (draft, caller) => invoiceSave(draft, caller, true));
}

interface Save {
  readonly work: string;
  readonly limit: string;
  requests(database: BenchDatabase): Promise<Request[]>;
}

async function forDrafts(
  database: BenchDatabase,
  kind: 'invoice' | 'application',
  save: (draft: Draft, caller: number) => Request,
) {
  const found = await drafts(database, kind);
  return everybody((caller) => {
    const draft = found[caller];
    if (draft === undefined) throw new Error(`client ${caller} has no draft`);
    return save(draft, caller);
  });
}

const saves: readonly Save[] = [
  {
    work: 'save an invoice (change a draft)',
    limit: CHANGE_INVOICE,
    requests: invoiceSaves,
  },
  {
    work: 'save an application (change a draft)',
    limit: CHANGE_APPLICATION,
    requests: (database) => forDrafts(database, 'application', applicationSave),
  },
  {
    work: 'save an invoice (a new one)',
    limit: CREATE_INVOICE,
    requests: newInvoices,
  },
];

function rowOf(save: Save, limit: readonly number[], server: readonly ServerRound[]): Row {
  const ratio = medianRatio(
    server.map(({ rate }) => rate),
    limit,
  );
  return {
    work: `${save.work}, 64 connections, ${INVOICES.toLocaleString('en')} invoices`,
    goal: `${GOAL} of pgbench`,
    figure: `${ratio.toFixed(2)} of pgbench`,
    holds: ratio >= GOAL,
    command: COMMAND,
    detail: `${told(server)}; pgbench ${perSecond(limit)}`,
  };
}

export async function run(): Promise<Row[]> {
  const program = await findPgbench();
  if (program === undefined)
    return saves.map(({ work }) => ({
      work,
      goal: `${GOAL} of pgbench`,
      figure: HOW_TO_INSTALL,
      holds: 'unmeasured',
      command: COMMAND,
    }));
  return withFilled([invoicesFilling(INVOICES)], async (databases) => {
    const [database] = databases;
    if (database === undefined) throw new Error('no database');
    const server = await startProductionServer(database);
    const load = new LoadProcess();
    try {
      const rows: Row[] = [];
      for (const save of saves) {
        await openSessions(database);
        const limit: number[] = [];
        const served: ServerRound[] = [];
        await inTurns([
          async () => limit.push(await pgbench(program, database, save.limit, SECONDS)),
          async () => served.push(await serverRound(load, server, await save.requests(database))),
        ]);
        rows.push(rowOf(save, limit, served));
      }
      return rows;
    } finally {
      load.end();
      await server.stop();
    }
  });
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
