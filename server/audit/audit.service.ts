import { HOUR_MS, HOUR_SECONDS } from '#contract/time/durations.ts';
import type { Platform } from '#server/platform.ts';
import {
  eventsOf,
  hasInvoices,
  insertAnchor,
  type LinkedEvent,
  lockAnchors,
  selectAnchoredHeads,
  selectAnchorsAfter,
  selectEventsAfter,
  selectLastAnchor,
  selectMovedHeads,
  selectUnanchored,
} from './audit.queries.ts';
import { linkOf, sealedText } from './chain.ts';
import { verifyInvoices, verifyRecord } from './record.service.ts';
import { tellWitness, verifyWitness } from './witness.service.ts';
import type { Testimony } from './witness.ts';

export type { LinkedEvent } from './audit.queries.ts';

/**
 * The record of changes is proof only while nobody can rewrite it unseen (docs/decisions/0015): each subject's events are
 * a hash chain, and anchors seal the chains' heads with the server's secret, which the database does not hold.
 */

/** Longer than any transaction lives: events are dated when a request begins, and seen when it commits. */
const OVERLAP_MS = HOUR_MS;

/** Seals the heads of the chains that have moved since the last anchor; without any there is nothing to seal. */
export async function anchorAudit(platform: Platform): Promise<void> {
  await sealHeads(platform);
  await tellWitness(platform);
}

async function sealHeads({ db, clock, sealer, log }: Platform): Promise<void> {
  await db.inTransaction(async (change) => {
    await lockAnchors(change);
    const last = await selectLastAnchor(change);
    const heads = await selectMovedHeads(change, last && new Date(last.at.getTime() - OVERLAP_MS));
    if (heads.length === 0) return;
    const at = clock.now();
    const seal = sealer.digest(sealedText(last?.seal, at, heads));
    const number = (last?.number ?? 0) + 1;
    await insertAnchor(change, { number, at, seal }, heads);
    // The log is kept elsewhere: a seal in it is a witness that the database cannot take back.
    log.info({ number, chains: heads.length, seal: seal.toString('hex') }, 'the audit log was anchored');
  });
}

/** What a verification found. */
export interface Verification {
  readonly events: number;
  readonly subjects: number;
  readonly anchors: number;
  readonly invoices: number;
  /** Invoices of which the record does not tell everything (server/audit/record.service.ts). */
  readonly uncovered: number;
  /** The newest anchor that the outside witness was told of; undefined where no witness is set. */
  readonly witnessed: number | undefined;
  /** What is wrong, a sentence each; none means that the log is as it was written. */
  readonly faults: readonly string[];
  /** Why the witness could not be asked, where it could not: the log itself may be in order. */
  readonly unread: string | undefined;
}

/**
 * Walks every chain and every anchor, compares them with the witness, and what stands of invoices with what they tell. Finds what was changed, added or taken away, but for
 * what no anchor holds yet, and without a witness for an end that was taken away with its anchors.
 */
export async function verifyAudit(platform: Platform, mailed: readonly Testimony[] = []): Promise<Verification> {
  const { events, subjects, faults } = await verifyChains(platform);
  const { told, ...anchored } = await verifyAnchors(platform);
  const witness = await verifyWitness(platform, told, mailed);
  const record = await verifyRecord(platform);
  return {
    events,
    subjects,
    anchors: told.length,
    invoices: record.invoices,
    uncovered: record.uncovered,
    witnessed: witness.newest,
    unread: witness.unread,
    faults: [
      ...faults,
      ...anchored.faults,
      ...(await findAbsence(platform, events)),
      ...witness.faults,
      ...record.faults,
    ],
  };
}

/** Later than a server that works makes the anchor of an event. */
const ANCHORED_WITHIN_SECONDS = HOUR_SECONDS;

/** What is not there and must be: events where there are invoices, anchors of what is long past. */
async function findAbsence({ db }: Platform, events: number): Promise<string[]> {
  if (events === 0 && (await hasInvoices(db))) return ['the log is empty, and there are invoices: it was taken away'];
  const chains = await selectUnanchored(db, ANCHORED_WITHIN_SECONDS);
  if (chains === 0) return [];
  return [`no anchor holds the end of ${chains} chains, though the log went on for an hour: anchors were taken away`];
}

/** What is wrong with the chains of some subjects, a sentence each. */
export async function verifySubjects({ db }: Platform, subjectTags: readonly string[]): Promise<string[]> {
  const walk = new ChainWalk();
  for await (const page of eventsOf(db, subjectTags)) for (const event of page) walk.next(event);
  return walk.faults;
}

/**
 * Verifies the chains of an invoice and its documents, and compares what stands of them with what they tell. `see` gets every event
 * that was verified, chain by chain. Each event of the invoice is read once, in pages.
 */
export async function verifyCase(
  { db }: Platform,
  { invoiceTag, documentTags }: { readonly invoiceTag: string; readonly documentTags: readonly string[] },
  see: (event: LinkedEvent) => void,
): Promise<{ readonly faults: readonly string[]; readonly isCovered: boolean }> {
  const walk = new ChainWalk();
  const next = (event: LinkedEvent): void => {
    walk.next(event);
    see(event);
  };
  const record = await verifyInvoices(db, [invoiceTag], next);
  for await (const page of eventsOf(db, documentTags)) page.forEach(next);
  return { faults: [...walk.faults, ...record.faults], isCovered: record.uncovered === 0 };
}

const BATCH = 5000;

async function verifyChains({ db }: Platform): Promise<ChainWalk> {
  const walk = new ChainWalk();
  for (;;) {
    const batch = await selectEventsAfter(db, walk.last, BATCH);
    for (const event of batch) walk.next(event);
    if (batch.length < BATCH) return walk;
  }
}

/** Goes through events in the order of subjects and their chains and computes every link again. */
class ChainWalk {
  readonly faults: string[] = [];
  events = 0;
  subjects = 0;
  last: LinkedEvent | undefined;

  next(event: LinkedEvent): void {
    const previous = event.subjectTag === this.last?.subjectTag ? this.last : undefined;
    const place = `event ${event.sequence} of ${event.subjectType} ${event.subjectTag}`;
    if (event.sequence !== (previous?.sequence ?? 0) + 1)
      this.faults.push(`${place}: the events before it are missing`);
    else if (!linkOf(previous?.hash, event).equals(event.hash)) this.faults.push(`${place}: it was changed`);
    this.events += 1;
    if (previous === undefined) this.subjects += 1;
    this.last = event;
  }
}

async function verifyAnchors({ db, sealer }: Platform) {
  const faults: string[] = [];
  const told: Testimony[] = [];
  let last: { readonly id: number; readonly seal: Buffer } | undefined;
  for (;;) {
    const batch = await selectAnchorsAfter(db, last?.id ?? 0, BATCH);
    for (const anchor of batch) {
      const heads = await selectAnchoredHeads(db, anchor.id);
      const seals = sealer.digests(sealedText(last?.seal, anchor.at, heads));
      if (!seals.some((seal) => seal.equals(anchor.seal)))
        faults.push(`anchor ${anchor.number}: it was changed, or sealed with another secret`);
      for (const { subjectTag, sequence, hash, found } of heads) {
        if (found === null)
          faults.push(`event ${sequence} of ${subjectTag}: anchor ${anchor.number} holds it, the log does not`);
        else if (!found.equals(hash))
          faults.push(`event ${sequence} of ${subjectTag}: it is not the one in anchor ${anchor.number}`);
      }
      told.push({ number: anchor.number, seal: anchor.seal.toString('hex') });
      if (anchor.number !== told.length) faults.push(`anchor ${anchor.number}: it stands where ${told.length} must`);
      last = anchor;
    }
    if (batch.length < BATCH) return { told, faults };
  }
}
