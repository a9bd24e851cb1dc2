import { randomUUID } from 'node:crypto';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { CashMethod } from '#contract/journal/accounts.ts';
import type { NewEntry } from '#contract/journal/entry.ts';
import {
  type Line,
  linesBetween,
  linesOutside,
  type OutsideKind,
  type PositionTerms,
  type PostedKind,
  positionOf,
  restOf,
} from '#contract/journal/position.ts';
import { minorToNumeric } from '#contract/money.ts';
import type { StandingEntry } from '#contract/payments/balance.ts';
import type { Caller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import { insertEntries, type NewEntryRow, type StandingRow, selectParts } from './journal.queries.ts';

/** The price of a case whose cash may be paid out. Minor units. */
interface Priced {
  readonly id: number;
  readonly status: Status;
  /** Null before the first save. */
  readonly netProceeds: number | null;
}

/** The unsent part of the cash of cases (`restOf`), by id. One case and a list use the same query. */
export async function findRests(connection: Connection, cases: readonly Priced[]): Promise<(id: number) => number> {
  const paidOut = cases.filter(({ status }) => status === 'Disbursed' || status === 'Settled');
  const ids = paidOut.map(({ id }) => id);
  const partsOf = Map.groupBy(ids.length === 0 ? [] : await selectParts(connection, ids), (part) => part.invoiceId);
  const rests = new Map(
    paidOut.map(({ id, netProceeds }) => [id, restOf({ netProceeds: netProceeds ?? 0 }, partsOf.get(id) ?? [])]),
  );
  return (id) => rests.get(id) ?? 0;
}

/** The journal entry as its audit event carries it; `lines` by account. Amounts in minor units. */
export interface TellingEntry
  extends Omit<NewEntry, 'date' | 'kind' | 'isFromSuspense' | 'lineId' | 'lineTag' | 'transferId'> {
  readonly tag: string;
  readonly kind: PostedKind | OutsideKind;
  /** The tag of the statement line that brought the money. */
  readonly line: string | null;
  readonly paid_on: string;
  /** The tag of the reversed entry. */
  readonly reverses: string | null;
  readonly lines: Readonly<Record<string, number>>;
}

/** A locked application to post entries to, with its entries in force. */
interface Subject {
  readonly invoice: { readonly id: number; readonly currencyId: number; readonly faceValue: number };
  readonly application: Omit<PositionTerms, 'faceValue'>;
  readonly standing: readonly StandingEntry[];
}

/** Who records an entry: nobody, for what Kasente does by itself. */
interface Recorder {
  readonly now: Date;
  readonly person: { readonly id: number } | null;
}
type Recording = Changing<Recorder>;

/**
 * Queues an entry for the journal of a locked application, given the entries in force before it; it is written with the
 * COMMIT. Returns the fields that its audit event must carry.
 */
export function postEntry(work: Recording, { invoice, application, standing }: Subject, entry: NewEntry): TellingEntry {
  const terms = { ...application, faceValue: invoice.faceValue };
  const lines = linesBetween(positionOf(terms, standing), positionOf(terms, [...standing, entry]));
  return insert(work.change, rowOf(work.caller, invoice, { entry, lines }));
}

/** Queues the reversal of an entry in force. */
export function postReversal(
  work: Recording,
  { invoice, application, standing }: Subject,
  { original, reason, date }: { readonly original: StandingRow; readonly reason: string; readonly date: string },
): TellingEntry {
  const terms = { ...application, faceValue: invoice.faceValue };
  const without = standing.filter((entry) => entry !== original);
  const lines = linesBetween(positionOf(terms, standing), positionOf(terms, without));
  const { amount, carried, rounded } = original;
  const negated = { amount: -amount, carried: minus(carried), rounded: minus(rounded) };
  const entry = { ...original, ...negated, date, reason };
  return insert(work.change, rowOf(work.caller, invoice, { entry, lines, reverses: original }));
}

/** The fields of a statement line that its entries need. */
export interface ArrivedLine {
  readonly id: number;
  readonly tag: string;
  readonly currencyId: number;
  readonly rail: CashMethod;
}

/** A movement of a line's money outside all applications. */
interface Outside {
  readonly kind: OutsideKind;
  readonly amount: number;
  readonly date: string;
  readonly reference: string;
  readonly reason?: string;
}

/**
 * Adds an entry for money that belongs to no application yet, or that is sent back. The caller records its audit event.
 */
export function postOutside(work: Recording, line: ArrivedLine, entry: Outside): TellingEntry {
  return insert(work.change, outsideRow(work.caller, line, entry));
}

/** Like {@link postOutside}, for the arrivals of many lines. Returns the entries in the order of the lines. */
export function postArrivals(
  { change, caller }: Recording,
  lines: readonly (ArrivedLine & Omit<Outside, 'kind'>)[],
): readonly TellingEntry[] {
  const rows = lines.map((line) => outsideRow(caller, line, { ...line, kind: 'arrival' }));
  if (rows.length > 0) insertEntries(change, rows);
  return rows.map(({ telling }) => telling);
}

/** An arrival to reverse, and the reason. */
interface ReversedArrival {
  readonly id: number;
  readonly tag: string;
  readonly amount: number;
  readonly reference: string;
  readonly date: string;
  readonly reason: string;
}

/** Reverses the arrival of a line whose money is still all in suspense. The caller records its audit event. */
export function postArrivalReversal(
  work: Recording,
  { id, tag, rail, currencyId }: ArrivedLine,
  { amount, date, reference, reason, ...original }: ReversedArrival,
): TellingEntry {
  const entry = { kind: 'arrival', amount: -amount, date, reference, reason, method: rail } as const;
  const told = { ...entry, lineId: id, lineTag: tag };
  const lines = linesOutside('arrival', rail, -amount);
  return insert(work.change, rowOf(work.caller, { id: null, currencyId }, { entry: told, lines, reverses: original }));
}

/** Records the audit event of an entry that belongs to no step. */
export function recordEntry(work: Changing<Caller>, { tag }: { readonly tag: string }, entry: TellingEntry): void {
  recordEvent(work, `journal.${entry.kind}`, ['invoice', tag], { after: { entry } });
}

function minus(amount: number): number {
  return amount === 0 ? 0 : -amount;
}

interface Posted {
  readonly entry: Omit<NewEntry, 'kind'> & { readonly kind: PostedKind | OutsideKind };
  readonly lines: readonly Line[];
  readonly reverses?: Pick<StandingRow, 'id' | 'tag'>;
}

interface PostedRow extends NewEntryRow {
  readonly telling: TellingEntry;
}

function insert(change: Change, row: PostedRow): TellingEntry {
  insertEntries(change, [row]);
  return row.telling;
}

function outsideRow(by: Recorder, { id, tag, rail, currencyId }: ArrivedLine, given: Outside): PostedRow {
  const { kind, amount, date, reference, reason } = given;
  const entry = { kind, amount, date, reference, method: rail, lineId: id, lineTag: tag };
  const lines = linesOutside(kind, rail, amount);
  return rowOf(by, { id: null, currencyId }, { entry: reason === undefined ? entry : { ...entry, reason }, lines });
}

function rowOf(
  { now, person }: Recorder,
  { id, currencyId }: { readonly id: number | null; readonly currencyId: number },
  { entry, lines, reverses }: Posted,
): PostedRow {
  const tag = randomUUID();
  const { kind, amount, date, carried = 0, rounded = 0, method = null, reference = null, payer = null } = entry;
  const { deduction = null, certificate = null, reason, lineId = null, lineTag = null } = entry;
  const told = { kind, method, reference, payer, deduction, certificate };
  return {
    entry: {
      ...told,
      tag,
      invoice_id: id,
      statement_line_id: lineId,
      transfer_id: entry.transferId ?? null,
      currency_id: currencyId,
      amount: minorToNumeric(amount),
      carried: minorToNumeric(carried),
      rounded: minorToNumeric(rounded),
      occurred_on: date,
      reverses: reverses?.id ?? null,
      reason: reason ?? null,
      recorded_at: now,
      recorded_by: person?.id ?? null,
    },
    lines,
    telling: {
      tag,
      ...told,
      amount,
      carried,
      rounded,
      paid_on: date,
      reverses: reverses?.tag ?? null,
      line: lineTag,
      ...(reason === undefined ? {} : { reason }),
      lines: Object.fromEntries(lines.map((line) => [line.account, line.amount])),
    },
  };
}
