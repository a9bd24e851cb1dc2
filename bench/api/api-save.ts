import { type BenchDatabase, invoicesFilling } from '#bench/fills/filled.ts';
import type { Row } from '#bench/row.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { againstPgbench } from './against-pgbench.ts';
import { cookieOf, everybody, serverRound } from './api.ts';
import { CHANGE_APPLICATION, CHANGE_INVOICE, CREATE_INVOICE } from './limit-statements.ts';
import { jsonRequest, type Request } from './load.ts';

/**
 * Saves of 64 clients at once against pgbench, which does the same work as one prepared statement on the same database: session,
 * row, audit event. The server also checks, validates, prices and keeps the reply of each Idempotency-Key.
 *
 *   node bench/api/api-save.ts
 */

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

/** The drafts that the server writes, in the order of the callers. */
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

/** A save of the invoice form as the web sends it: a new invoice, or the draft. */
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

/** A save of the application form, as the web sends it, without the values that depend on the amount. */
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

/** A save of each client's draft, with a new amount each time. */
export function invoiceSaves(database: BenchDatabase): Promise<Request[]> {
  return forDrafts(database, 'invoice', (draft, caller) => invoiceSave(draft, caller, false));
}

/** A new invoice for each client, each time. */
function newInvoices(database: BenchDatabase): Promise<Request[]> {
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
  { work: 'save an invoice (change a draft)', limit: CHANGE_INVOICE, requests: invoiceSaves },
  {
    work: 'save an application (change a draft)',
    limit: CHANGE_APPLICATION,
    requests: (database) => forDrafts(database, 'application', applicationSave),
  },
  { work: 'save an invoice (a new one)', limit: CREATE_INVOICE, requests: newInvoices },
];

export function run(): Promise<Row[]> {
  return againstPgbench(
    { command: 'node bench/api/api-save.ts', filling: invoicesFilling(INVOICES) },
    saves.map(({ work, limit, requests }) => ({
      work: `${work}, 64 connections, ${INVOICES.toLocaleString('en')} invoices`,
      goal: GOAL,
      limit,
      measure: async ({ database, load, server }) => serverRound(load, server, await requests(database)),
    })),
  );
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
