import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { verifyAudit, verifySubjects } from '#server/audit/audit.service.ts';
import { auditStore } from '#server/documents/store/store-audit.service.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * The clients' own ledger of their writes and the acknowledgements, and its comparison with the stored rows and files.
 */

interface InvoiceEntry {
  readonly kind: 'invoice';
  readonly number: string;
}
interface ApplicationEntry {
  readonly kind: 'application';
  readonly invoiceTag: string;
  readonly reference: string;
}
interface DocumentEntry {
  readonly kind: 'document';
  readonly invoiceTag: string;
  readonly typeId: number;
  readonly content: Buffer;
}
interface SubmissionEntry {
  readonly kind: 'submission';
  readonly invoiceTag: string;
}
/** One write that a client requested. */
export type Entry = InvoiceEntry | ApplicationEntry | DocumentEntry | SubmissionEntry;

/** A settled write: acknowledged with a tag, or unanswered. */
interface Settled {
  readonly entry: Entry;
  readonly tag: string | undefined;
}

export class Ledger {
  #settled: Settled[] = [];
  #compared = 0;
  acknowledgements = 0;
  unanswered = 0;

  open<Opened extends Entry>(entry: Opened): Opened {
    return entry;
  }

  acknowledge(entry: Entry, tag: string): void {
    this.acknowledgements += 1;
    this.#settled.push({ entry, tag });
  }

  leave(entry: Entry): void {
    this.unanswered += 1;
    this.#settled.push({ entry, tag: undefined });
  }

  get settled(): readonly Settled[] {
    return this.#settled;
  }

  /** The writes that were settled since the last call. */
  takeNew(): readonly Settled[] {
    const settled = this.#settled.slice(this.#compared);
    this.#compared = this.#settled.length;
    return settled;
  }
}

/** The differences between ledger and database, a sentence each. */
interface Comparison {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly torn: readonly string[];
}

/** Expects the writes that were settled since the last comparison to be stored as acknowledged, with whole hash chains. */
export async function expectNewStored(platform: Platform, ledger: Ledger): Promise<void> {
  const settled = ledger.takeNew();
  expect(await compare(platform, settled)).toEqual({ lost: [], doubled: [], torn: [] });
  const tags = settled.flatMap(({ entry, tag }) => (entry.kind === 'submission' || tag === undefined ? [] : [tag]));
  expect(await verifySubjects(platform, tags)).toEqual([]);
}

/** Expects the whole ledger to be stored as acknowledged, and no other data to be torn. */
export async function expectAllStored(platform: Platform, ledger: Ledger): Promise<void> {
  expect(await compare(platform, ledger.settled)).toEqual({ lost: [], doubled: [], torn: [] });
  expect(await tornParts(platform)).toEqual([]);
}

/** Compares each write with its stored data. */
export async function compare(platform: Platform, settled: readonly Settled[]): Promise<Comparison> {
  const comparison = { lost: [], doubled: [], torn: [] } satisfies Record<keyof Comparison, string[]>;
  const found = new Findings(comparison);
  const stored = await readStored(platform, settled);
  for (const { entry, tag } of settled) judge(found, stored, entry, tag);
  return comparison;
}

class Findings {
  readonly #comparison: Record<keyof Comparison, string[]>;

  constructor(comparison: Record<keyof Comparison, string[]>) {
    this.#comparison = comparison;
  }

  /** Acknowledged writes are stored exactly once, unanswered ones once or not at all. */
  count(what: string, times: number, isAcknowledged: boolean): void {
    if (times > 1) this.#comparison.doubled.push(`${what}: ${times} times`);
    if (times === 0 && isAcknowledged) this.#comparison.lost.push(what);
  }

  torn(what: string, isWhole: boolean): void {
    if (!isWhole) this.#comparison.torn.push(what);
  }
}

interface StoredInvoice {
  readonly tag: string;
  readonly number: string;
  readonly reference: string | null;
  readonly status: string;
  readonly created: number;
  readonly applied: number;
  readonly submitted: number;
  readonly steps: number;
  readonly accepted: number;
}

interface StoredDocument {
  readonly tag: string;
  readonly invoiceTag: string;
  readonly typeId: number;
  readonly sha256: Buffer;
  readonly uploaded: number;
}

interface Stored {
  readonly byNumber: ReadonlyMap<string, readonly StoredInvoice[]>;
  readonly byTag: ReadonlyMap<string, StoredInvoice>;
  readonly documents: ReadonlyMap<string, readonly StoredDocument[]>;
}

function judge(found: Findings, stored: Stored, entry: Entry, tag: string | undefined): void {
  const isAcknowledged = tag !== undefined;
  if (entry.kind === 'invoice') {
    const rows = stored.byNumber.get(entry.number) ?? [];
    found.count(`invoice ${entry.number}`, rows.length, isAcknowledged);
    const [row] = rows;
    if (row === undefined) return;
    found.torn(`invoice ${entry.number}`, row.created === 1 && (!isAcknowledged || row.tag === tag));
    return;
  }
  const invoice = stored.byTag.get(entry.invoiceTag);
  const what = `${entry.kind} of invoice ${entry.invoiceTag}`;
  if (entry.kind === 'application') {
    const isThere = invoice?.reference === entry.reference;
    found.count(what, isThere ? (invoice?.applied ?? 0) : 0, isAcknowledged);
    found.torn(what, isThere === (invoice?.applied === 1));
  } else if (entry.kind === 'submission') {
    found.count(what, invoice?.steps ?? 0, isAcknowledged);
    const parts = [invoice?.status === 'Submitted' ? 1 : 0, invoice?.submitted, invoice?.steps, invoice?.accepted];
    found.torn(what, new Set(parts).size === 1);
  } else {
    const rows = stored.documents.get(`${entry.invoiceTag} ${entry.typeId}`) ?? [];
    found.count(`${what}, type ${entry.typeId}`, rows.length, isAcknowledged);
    const sha256 = createHash('sha256').update(entry.content).digest();
    for (const row of rows) {
      found.torn(what, row.uploaded === 1 && row.sha256.equals(sha256) && (!isAcknowledged || row.tag === tag));
    }
  }
}

/** Entries per query, because a ledger may be long. */
const AT_ONCE = 5000;

async function readStored({ db }: Platform, settled: readonly Settled[]): Promise<Stored> {
  const byNumber = new Map<string, StoredInvoice[]>();
  const byTag = new Map<string, StoredInvoice>();
  const documents = new Map<string, StoredDocument[]>();
  for (let from = 0; from < settled.length; from += AT_ONCE) {
    const entries = settled.slice(from, from + AT_ONCE).map(({ entry }) => entry);
    const numbers = entries.flatMap((entry) => (entry.kind === 'invoice' ? [entry.number] : []));
    const tags = entries.flatMap((entry) => (entry.kind === 'invoice' ? [] : [entry.invoiceTag]));
    const events = (action: string) =>
      sql`(select count(*)::int from audit_events where subject_tag = invoices.tag and action = ${action})`;
    const { rows } = await sql<StoredInvoice>`
      select tag, invoice_number as number, application_reference as reference, status,
        ${events('invoice.created')} as created, ${events('application.created')} as applied,
        ${events('application.submit')} as submitted,
        (select count(*)::int from application_steps where invoice_id = invoices.id and step = 'submit') as steps,
        (select count(*)::int from key_facts_acceptances where invoice_id = invoices.id) as accepted
      from invoices where invoice_number = any(${numbers}) or tag = any(${tags}::uuid[])`.execute(db);
    for (const row of rows) {
      byTag.set(row.tag, row);
      const same = byNumber.get(row.number) ?? [];
      if (same.every(({ tag }) => tag !== row.tag)) byNumber.set(row.number, [...same, row]);
    }
    const kept = await sql<StoredDocument>`
      select documents.tag, invoices.tag as "invoiceTag", document_type_id as "typeId", sha256,
        (select count(*)::int from audit_events
          where subject_tag = documents.tag and action = 'document.uploaded') as uploaded
      from documents join invoices on invoices.id = documents.invoice_id where invoices.tag = any(${tags}::uuid[])`.execute(
      db,
    );
    for (const row of kept.rows) {
      const place = `${row.invoiceTag} ${row.typeId}`;
      const same = documents.get(place) ?? [];
      if (same.every(({ tag }) => tag !== row.tag)) documents.set(place, [...same, row]);
    }
  }
  return { byNumber, byTag, documents };
}

/**
 * Everything else that may be torn: hash chains, counters, keys without a reply, files without rows, rows without
 * files.
 */
export async function tornParts(platform: Platform): Promise<string[]> {
  const { faults } = await verifyAudit(platform);
  const { findings } = await auditStore(platform);
  return [
    ...faults,
    ...findings.map(({ finding, storage_key }) => `${finding}: ${storage_key}`),
    ...(await wrongCounters(platform)),
    ...(await brokenKeys(platform)),
  ];
}

async function wrongCounters({ db }: Platform): Promise<string[]> {
  const { rows } = await sql<{ scope: number; rows: number; there: number }>`
    select scope, rows, there from row_counts
    join lateral (select count(*)::int as there from invoices where business_id = scope) as counted on true
    where list = 'invoices' and rows <> there`.execute(db);
  return rows.map(({ scope, rows: counted, there }) => `business ${scope} counts ${counted} invoices and has ${there}`);
}

async function brokenKeys({ db }: Platform): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select key from idempotency_keys where reply is null`.execute(db);
  return rows.map(({ key }) => `key ${key} has no answer`);
}

/** Changes rows behind the server's back for the comparison to find: one write lost, one doubled, one counter wrong. */
export async function plantFaults({ db }: Platform, ledger: Ledger): Promise<{ lost: string; doubled: string }> {
  const plain = ledger.settled.flatMap(({ entry, tag }) =>
    entry.kind === 'invoice' && tag !== undefined ? [entry.number] : [],
  );
  // Only rows without references; the database would not delete others.
  const { rows } = await sql<{ number: string }>`select invoice_number as number from invoices
    where invoice_number = any(${plain}) and not exists (select from application_steps where invoice_id = invoices.id)
      and not exists (select from documents where invoice_id = invoices.id) order by id desc limit 2`.execute(db);
  const [lost = '', doubled = ''] = rows.map(({ number }) => number);
  await sql`delete from invoices where invoice_number = ${lost}`.execute(db);
  // The same number for another buyer, which no constraint forbids.
  await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, listed_on, created_at, created_by)
    select business_id, (select min(id) from businesses where id not in (business_id, buyer_id)), currency_id,
      invoice_number, invoice_number_key, invoice_date, face_value, listed_on, created_at, created_by
    from invoices where invoice_number = ${doubled}`.execute(db);
  await sql`update row_counts set rows = rows + 1 where list = 'invoices' and rows > 0`.execute(db);
  return { lost, doubled };
}
