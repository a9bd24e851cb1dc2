import { z } from 'zod';
import type { Connection } from '#server/db/database.ts';
import { canonicalDigest } from '#server/secrets/canonical-digest.ts';
import { eventsOf, type LinkedEvent } from './audit.queries.ts';
import {
  selectDocumentEvents,
  selectInvoiceTags,
  selectStandingDocuments,
  selectStandingEntries,
  selectStandingInvoices,
  selectStandingKeyFacts,
  selectStandingSteps,
  selectVanished,
} from './record.queries.ts';
import { verifyArrivals } from './record-arrivals.queries.ts';
import { verifyTransfers } from './record-transfers.queries.ts';
import { applicationColumnNames, type Columns, coveredColumns, Replay } from './replay.ts';
import { documentFault } from './rules.ts';

/**
 * Compares the database with the audit log (docs/decisions/0015-audit-chain.md): an invoice, its payments, steps, key
 * facts and documents, column by column. Events and rows are read in one snapshot while the server runs.
 */

/** The result of a comparison. */
export interface RecordVerified {
  readonly invoices: number;
  /** Invoices that the log doesn't cover completely. Data that is missing from the log is not compared. */
  readonly uncovered: number;
  /** The differences, one sentence each. */
  readonly faults: readonly string[];
}

type See = (event: LinkedEvent) => void;

const AT_ONCE = 200;
const VANISHED_SHOWN = 50;

/** Every invoice. */
export async function verifyRecord({ db }: { readonly db: Connection }): Promise<RecordVerified> {
  const faults: string[] = [];
  let [invoices, uncovered, lastId] = [0, 0, 0];
  for (;;) {
    const page = await selectInvoiceTags(db, lastId, AT_ONCE);
    const verified = await verifyInvoices(
      db,
      page.map(({ tag }) => tag),
    );
    invoices += page.length;
    uncovered += verified.uncovered;
    faults.push(...verified.faults);
    lastId = page.at(-1)?.id ?? lastId;
    if (page.length < AT_ONCE) break;
  }
  const vanished = await selectVanished(db, VANISHED_SHOWN);
  faults.push(...vanished.map((tag) => `invoice ${tag}: in the audit log, but not in the database`));
  faults.push(...(await verifyArrivals(db)), ...(await verifyTransfers(db)));
  return { invoices, uncovered, faults };
}

/**
 * Compares some invoices, in a snapshot of its own or in the caller's transaction. Passes every event to `see`, chain
 * by chain.
 */
export async function verifyInvoices(
  connection: Connection,
  tags: readonly string[],
  see: See = () => undefined,
): Promise<Pick<RecordVerified, 'uncovered' | 'faults'>> {
  const compare = (snapshot: Connection): Promise<Comparison[]> => compareAll(snapshot, tags, see);
  const comparisons =
    'inTransaction' in connection
      ? await connection.inTransaction(compare, { isolation: 'repeatable read' })
      : await compare(connection);
  return {
    uncovered: comparisons.filter(({ isCovered }) => !isCovered).length,
    faults: comparisons.flatMap(({ name, differences }) => differences.map((text) => `invoice ${name}, ${text}`)),
  };
}

async function compareAll(snapshot: Connection, tags: readonly string[], see: See): Promise<Comparison[]> {
  const steps = Map.groupBy(await selectStandingSteps(snapshot, tags), ({ invoiceTag }) => invoiceTag);
  const entries = Map.groupBy(await selectStandingEntries(snapshot, tags), ({ invoiceTag }) => invoiceTag);
  const documents = Map.groupBy(await selectStandingDocuments(snapshot, tags), ({ invoiceTag }) => invoiceTag);
  const documentEvents = Map.groupBy(await selectDocumentEvents(snapshot, tags), ({ invoiceTag }) => invoiceTag);
  const keyFacts = Map.groupBy(await selectStandingKeyFacts(snapshot, tags), ({ invoiceTag }) => invoiceTag);
  const replays = await replayInvoices(snapshot, { tags, entries }, see);
  const comparisons: Comparison[] = [];
  for (const row of await selectStandingInvoices(snapshot, tags)) {
    const { invoiceTag: tag } = row;
    const comparison = new Comparison(`${tag} (${row.invoice_number})`);
    const replay = replays.get(tag);
    const events = documentEvents.get(tag) ?? [];
    if (replay === undefined) comparison.isCovered = false;
    else if (replay === 'unreadable') comparison.differences.push('an audit event is unrecognised');
    else {
      comparison.invoice(replay, row);
      comparison.steps(replay, steps.get(tag) ?? []);
      comparison.keyFacts(replay, keyFacts.get(tag) ?? []);
      comparison.entries(replay, entries.get(tag) ?? []);
      comparison.uploads(replay, events);
    }
    comparison.documents(events, documents.get(tag) ?? []);
    comparisons.push(comparison);
  }
  return comparisons;
}

/** Replays each invoice that has events. 'unreadable' if it has an event that Kasente doesn't write. */
async function replayInvoices(
  snapshot: Connection,
  {
    tags,
    entries,
  }: { tags: readonly string[]; entries: ReadonlyMap<string, readonly { ledgerId: number | null; tag: string }[]> },
  see: See,
): Promise<Map<string, Replay | 'unreadable'>> {
  const replays = new Map<string, Replay | 'unreadable'>();
  for await (const page of eventsOf(snapshot, tags)) {
    for (const event of page) {
      const { subjectTag: tag } = event;
      see(event);
      const replay =
        replays.get(tag) ?? new Replay((id) => entries.get(tag)?.find((entry) => entry.ledgerId === id)?.tag);
      replays.set(tag, replay === 'unreadable' || !replayEvent(replay, event) ? 'unreadable' : replay);
    }
  }
  return replays;
}

function replayEvent(replay: Replay, { id, at, actorTag, action, after }: LinkedEvent): boolean {
  try {
    const logged = after === null ? null : JSON.parse(after);
    replay.next({ id, at: new Date(Number(at) / MICROSECONDS), actorTag, action, after: logged });
    return true;
  } catch (error) {
    if (error instanceof z.ZodError) return false;
    throw error;
  }
}

const MICROSECONDS = 1000;

type Tagged = Columns & { readonly tag: string };
type StandingKeyFacts = Awaited<ReturnType<typeof selectStandingKeyFacts>>[number];
type DocumentEvent = Awaited<ReturnType<typeof selectDocumentEvents>>[number];

/** Compares one invoice. */
class Comparison {
  readonly name: string;
  readonly differences: string[] = [];
  isCovered = true;

  constructor(name: string) {
    this.name = name;
  }

  invoice({ invoice, isDeleted, contradictions }: Replay, row: Columns): void {
    if (isDeleted) this.differences.push('it is deleted according to the audit log');
    this.differences.push(...contradictions);
    this.#columns('', invoice, row);
    const needed = row.advance === null ? coveredColumns : [...coveredColumns, ...applicationColumnNames];
    // An invoice without an application has none of these. If its row has them but its events don't, it is not covered.
    if (needed.some((column) => invoice[column] === undefined)) this.isCovered = false;
  }

  steps({ steps }: Replay, rows: readonly Columns[]): void {
    for (const [index, row] of rows.entries()) {
      const logged = steps[index];
      if (logged === undefined) this.differences.push(`step ${index + 1} (${row.step}): not in the audit log`);
      else this.#columns(`step ${index + 1} (${logged.step}), `, logged, row);
    }
    for (const [index, { step }] of steps.entries()) {
      if (rows[index] === undefined) this.differences.push(`step ${index + 1} (${step}): not in the database`);
    }
  }

  /** Submissions of earlier releases don't record the acceptance, so there is nothing to compare. */
  keyFacts({ keyFacts, offerFacts }: Replay, rows: readonly StandingKeyFacts[]): void {
    const ofOffers = rows.filter(({ ofOffer }) => ofOffer);
    if (keyFacts !== undefined)
      this.#accepted(
        keyFacts,
        rows.find(({ ofOffer }) => !ofOffer),
      );
    for (const [index, logged] of offerFacts.entries()) this.#accepted(logged, ofOffers[index]);
    if (ofOffers.length > offerFacts.length)
      this.differences.push('key facts: the acceptance of an offer is not in the audit log');
  }

  #accepted(logged: Columns, row: StandingKeyFacts | undefined): void {
    if (row === undefined) this.differences.push('key facts: the accepted ones are not in the database');
    else {
      const { version, facts, at, by } = row;
      this.#columns('key facts, ', logged, { version, sha256: canonicalDigest(facts), at, by });
    }
  }

  entries({ journal: { entries, untagged } }: Replay, rows: readonly Tagged[]): void {
    const early = [...untagged];
    for (const { tag, ...row } of rows) {
      const logged = entries.get(tag);
      if (logged !== undefined) this.#columns(`payment ${tag}, `, logged, row);
      else if (claim(early, row)) this.isCovered = false;
      else this.differences.push(`payment ${tag} of ${row.amount}: not in the audit log`);
    }
    for (const tag of entries.keys()) {
      if (!rows.some((row) => row.tag === tag)) this.differences.push(`payment ${tag}: not in the database`);
    }
    for (const { kind, amount } of early)
      this.differences.push(`${kind} of ${amount}: not in the database as recorded`);
  }

  /** Whether each document was added and removed at a time when that was allowed. */
  uploads(replay: Replay, events: readonly DocumentEvent[]): void {
    for (const { id, tag, action, type } of events) {
      const fault = documentFault(action, type, replay.standingAt(id));
      if (fault !== undefined) this.differences.push(`document ${tag}: ${fault}`);
    }
  }

  documents(events: readonly DocumentEvent[], rows: readonly Tagged[]): void {
    const current = new Map<unknown, DocumentEvent>();
    for (const event of events) {
      if (event.action !== 'document.deleted') current.set(event.logged.typeId, event);
      else if (current.get(event.logged.typeId)?.tag === event.tag) current.delete(event.logged.typeId);
    }
    for (const row of rows) {
      const logged = [...current.values()].find(({ tag }) => tag === row.tag)?.logged;
      if (logged !== undefined) this.#columns(`document ${row.tag}, `, logged, row);
      else if (events.some(({ tag }) => tag === row.tag) || current.has(row.typeId))
        this.differences.push(`document ${row.tag}: according to the audit log, another document has replaced it`);
      else this.isCovered = false;
    }
    for (const { tag } of current.values()) {
      if (!rows.some((row) => row.tag === tag)) this.differences.push(`document ${tag}: not in the database`);
    }
  }

  /** Compares a row with the log, in stored form. */
  #columns(where: string, logged: Columns, row: Columns): void {
    for (const [column, value] of Object.entries(logged)) {
      const stands = row[column] ?? null;
      if (value !== stands)
        this.differences.push(`${where}${column}: the audit log has ${say(value)}, the database has ${say(stands)}`);
    }
  }
}

/** Removes the first payment that matches the row; false if there is none. */
function claim(untagged: Columns[], row: Columns): boolean {
  const same = untagged.findIndex(
    ({ kind, amount, paid_on }) => kind === row.kind && amount === row.amount && paid_on === row.paid_on,
  );
  if (same === -1) return false;
  untagged.splice(same, 1);
  return true;
}

function say(value: unknown): string {
  return value === null ? 'nothing' : JSON.stringify(value);
}
