import { HOUR_MS, HOUR_SECONDS } from '#contract/time/durations.ts';
import type { Platform } from '#server/platform/platform.ts';
import {
  eventsOf,
  hasInvoices,
  insertAnchor,
  type LinkedEvent,
  lockAnchors,
  selectAnchoredHeads,
  selectAnchorsAfter,
  selectLastAnchor,
  selectMovedHeads,
  selectUnanchored,
} from './audit.queries.ts';
import { linkOf, sealedText } from './chain.ts';
import { verifyInvoices, verifyRecord } from './record.service.ts';
import { updateWitness, verifyWitness } from './witness.service.ts';
import type { Testimony } from './witness.ts';

/**
 * Makes the audit log tamper-evident (docs/decisions/0015-audit-chain.md). Each subject's events form a hash chain, and
 * anchors seal the chains' heads with the server's secret, which is not in the database.
 */

/** Longer than any transaction. Events are dated at the start of a request but visible only after its commit. */
const OVERLAP_MS = HOUR_MS;

/** Seals the heads of the chains that have changed since the last anchor, if any. */
export async function anchorAudit(platform: Platform): Promise<void> {
  await sealHeads(platform);
  await updateWitness(platform);
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
    // Server logs are stored elsewhere, so changing the database can't remove the seal from them.
    log.info({ number, chains: heads.length, seal: seal.toString('hex') }, 'the audit log was anchored');
  });
}

/** The result of a verification. */
export interface Verification {
  readonly events: number;
  readonly subjects: number;
  readonly anchors: number;
  readonly invoices: number;
  /** Invoices that the audit log doesn't cover completely (server/audit/record.service.ts). */
  readonly uncovered: number;
  /** The newest anchor known to the external witness; undefined without one. */
  readonly witnessed: number | undefined;
  /** The faults, one sentence each; none if the log is intact. */
  readonly faults: readonly string[];
  /** Why the witness could not be read, if so. The log itself may be intact. */
  readonly unread: string | undefined;
}

/**
 * Verifies every chain and every anchor, and compares them with the witness and with the invoices. Detects what was
 * changed, added or removed. It can't detect changes that no anchor covers yet or, without a witness, the removal of
 * the newest events together with their anchors.
 */
export async function verifyAudit(platform: Platform, mailed: readonly Testimony[] = []): Promise<Verification> {
  const { events, subjects, faults } = await verifyChains(platform, 'all');
  const { known, ...anchored } = await verifyAnchors(platform);
  const witness = await verifyWitness(platform, known, mailed);
  const record = await verifyRecord(platform);
  return {
    events,
    subjects,
    anchors: known.length,
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

/** Longer than a working server takes to anchor an event. */
const ANCHORED_WITHIN_SECONDS = HOUR_SECONDS;

/** Checks whether something is missing: events if there are invoices, anchors of old events. */
async function findAbsence({ db }: Platform, events: number): Promise<string[]> {
  if (events === 0 && (await hasInvoices(db))) return ['the log is empty, but there are invoices: it was removed'];
  const chains = await selectUnanchored(db, ANCHORED_WITHIN_SECONDS);
  if (chains === 0) return [];
  return [`the ends of ${chains} chains are in no anchor, though the log continued for an hour: anchors were removed`];
}

/** The faults in the chains of some subjects, one sentence each. */
export async function verifySubjects(platform: Platform, subjectTags: readonly string[]): Promise<string[]> {
  return (await verifyChains(platform, subjectTags)).faults;
}

/**
 * Verifies the chains of an invoice and its documents, and compares the rows with the events. Passes every verified
 * event to `see`, chain by chain. Each event is read once, in pages.
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

async function verifyChains({ db }: Platform, subjectTags: readonly string[] | 'all'): Promise<ChainWalk> {
  const walk = new ChainWalk();
  for await (const page of eventsOf(db, subjectTags, BATCH)) for (const event of page) walk.next(event);
  return walk;
}

/** Goes through events by subject and chain order, and recomputes every link. */
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
  const known: Testimony[] = [];
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
          faults.push(`event ${sequence} of ${subjectTag}: in anchor ${anchor.number}, but missing from the log`);
        else if (!found.equals(hash))
          faults.push(`event ${sequence} of ${subjectTag}: differs from the one in anchor ${anchor.number}`);
      }
      known.push({ number: anchor.number, seal: anchor.seal.toString('hex') });
      if (anchor.number !== known.length)
        faults.push(`anchor ${anchor.number}: found where anchor ${known.length} was expected`);
      last = anchor;
    }
    if (batch.length < BATCH) return { known, faults };
  }
}
