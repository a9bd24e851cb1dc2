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

/** What a comparison found. */
export interface RecordVerified {
  readonly invoices: number;
  /** Invoices that the log does not cover completely: what it does not tell is not compared. */
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
  faults.push(...vanished.map((tag) => `invoice ${tag}: the record has it, the database does not`));
  faults.push(...(await verifyArrivals(db)), ...(await verifyTransfers(db)));
  return { invoices, uncovered, faults };
}

/** Some invoices, in their own snapshot or in the caller's transaction. `see` gets every event, chain by chain. */
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
  const replays = await tellAgain(snapshot, { tags, entries }, see);
  const comparisons: Comparison[] = [];
  for (const row of await selectStandingInvoices(snapshot, tags)) {
    const { invoiceTag: tag } = row;
    const comparison = new Comparison(`${tag} (${row.invoice_number})`);
    const replay = replays.get(tag);
    const events = documentEvents.get(tag) ?? [];
    if (replay === undefined) comparison.isCovered = false;
    else if (replay === 'unreadable') comparison.differences.push('its events are not such as Kasente writes');
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

/** The replay of each invoice that has events; 'unreadable' if Kasente writes no such event. */
async function tellAgain(
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
      replays.set(tag, replay === 'unreadable' || !tellNext(replay, event) ? 'unreadable' : replay);
    }
  }
  return replays;
}

function tellNext(replay: Replay, { id, at, actorTag, action, after }: LinkedEvent): boolean {
  try {
    const told = after === null ? null : JSON.parse(after);
    replay.next({ id, at: new Date(Number(at) / MICROSECONDS), actorTag, action, after: told });
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

/** One invoice's. */
class Comparison {
  readonly name: string;
  readonly differences: string[] = [];
  isCovered = true;

  constructor(name: string) {
    this.name = name;
  }

  invoice({ invoice, isDeleted, contradictions }: Replay, row: Columns): void {
    if (isDeleted) this.differences.push('the record says that it was deleted');
    this.differences.push(...contradictions);
    this.#columns('', invoice, row);
    const needed = row.advance === null ? coveredColumns : [...coveredColumns, ...applicationColumnNames];
    // An invoice without application has none of these; a row with them but without events is not covered.
    if (needed.some((column) => invoice[column] === undefined)) this.isCovered = false;
  }

  steps({ steps }: Replay, rows: readonly Columns[]): void {
    for (const [index, row] of rows.entries()) {
      const told = steps[index];
      if (told === undefined) this.differences.push(`step ${index + 1} (${row.step}): the record does not know it`);
      else this.#columns(`step ${index + 1} (${told.step}), `, told, row);
    }
    for (const [index, { step }] of steps.entries()) {
      if (rows[index] === undefined)
        this.differences.push(`step ${index + 1} (${step}): the database does not have it`);
    }
  }

  /** Submissions of earlier releases do not record the acceptance: nothing to compare. */
  keyFacts({ keyFacts, offerFacts }: Replay, rows: readonly StandingKeyFacts[]): void {
    const ofOffers = rows.filter(({ ofOffer }) => ofOffer);
    if (keyFacts !== undefined)
      this.#accepted(
        keyFacts,
        rows.find(({ ofOffer }) => !ofOffer),
      );
    for (const [index, told] of offerFacts.entries()) this.#accepted(told, ofOffers[index]);
    if (ofOffers.length > offerFacts.length)
      this.differences.push('key facts: the record does not know that an offer was accepted');
  }

  #accepted(told: Columns, row: StandingKeyFacts | undefined): void {
    if (row === undefined) this.differences.push('key facts: the database does not have what was accepted');
    else {
      const { version, facts, at, by } = row;
      this.#columns('key facts, ', told, { version, sha256: canonicalDigest(facts), at, by });
    }
  }

  entries({ journal: { entries, untagged } }: Replay, rows: readonly Tagged[]): void {
    const early = [...untagged];
    for (const { tag, ...row } of rows) {
      const told = entries.get(tag);
      if (told !== undefined) this.#columns(`payment ${tag}, `, told, row);
      else if (claim(early, row)) this.isCovered = false;
      else this.differences.push(`payment ${tag} of ${row.amount}: the record does not know it`);
    }
    for (const tag of entries.keys()) {
      if (!rows.some((row) => row.tag === tag)) this.differences.push(`payment ${tag}: the database does not have it`);
    }
    for (const { kind, amount } of early)
      this.differences.push(`${kind} of ${amount}: the database does not have it as it was recorded`);
  }

  /** Whether each document was added and removed when that was allowed. */
  uploads(replay: Replay, events: readonly DocumentEvent[]): void {
    for (const { id, tag, action, type } of events) {
      const fault = documentFault(action, type, replay.standingAt(id));
      if (fault !== undefined) this.differences.push(`document ${tag}: ${fault}`);
    }
  }

  documents(events: readonly DocumentEvent[], rows: readonly Tagged[]): void {
    const current = new Map<unknown, DocumentEvent>();
    for (const event of events) {
      if (event.action !== 'document.deleted') current.set(event.told.typeId, event);
      else if (current.get(event.told.typeId)?.tag === event.tag) current.delete(event.told.typeId);
    }
    for (const row of rows) {
      const told = [...current.values()].find(({ tag }) => tag === row.tag)?.told;
      if (told !== undefined) this.#columns(`document ${row.tag}, `, told, row);
      else if (events.some(({ tag }) => tag === row.tag) || current.has(row.typeId))
        this.differences.push(`document ${row.tag}: the record says that another is in its place`);
      else this.isCovered = false;
    }
    for (const { tag } of current.values()) {
      if (!rows.some((row) => row.tag === tag)) this.differences.push(`document ${tag}: the database does not have it`);
    }
  }

  /** Compares a row with what the log tells, in stored form. */
  #columns(where: string, told: Columns, row: Columns): void {
    for (const [column, value] of Object.entries(told)) {
      const stands = row[column] ?? null;
      if (value !== stands)
        this.differences.push(`${where}${column}: the record says ${say(value)}, the database holds ${say(stands)}`);
    }
  }
}

/** Removes the first payment with that record; false if there is none. */
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
