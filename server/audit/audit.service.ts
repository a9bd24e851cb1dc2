import {
  insertAnchor,
  type LinkedEvent,
  lockAnchors,
  selectAnchoredHeads,
  selectAnchorsAfter,
  selectEventsAfter,
  selectEventsOf,
  selectLastAnchor,
  selectMovedHeads,
} from '#server/audit/audit.queries.ts';
import { linkOf, sealedText } from '#server/audit/chain.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * The record of changes is proof only while nobody can rewrite it unseen (docs/decisions/0015): each subject's events are
 * a hash chain, and anchors seal the chains' heads with the server's secret, which the database does not hold.
 */

/** Longer than any transaction lives: events are dated when a request begins, and seen when it commits. */
const OVERLAP_MS = 60 * 60 * 1000;

/** Seals the heads of the chains that have moved since the last anchor; without any there is nothing to seal. */
export async function anchorAudit({ db, clock, sealer, log }: Platform): Promise<void> {
  await db.transaction().execute(async (change) => {
    await lockAnchors(change);
    const last = await selectLastAnchor(change);
    const heads = await selectMovedHeads(change, last && new Date(last.at.getTime() - OVERLAP_MS));
    if (heads.length === 0) return;
    const at = clock.now();
    const seal = sealer.digest(sealedText(last?.seal, at, heads));
    await insertAnchor(change, { at, seal }, heads);
    // The log is kept elsewhere: a seal in it is a witness that the database cannot take back.
    log.info({ chains: heads.length, seal: seal.toString('hex') }, 'the audit log was anchored');
  });
}

/** What a verification found. */
export interface Verification {
  readonly events: number;
  readonly subjects: number;
  readonly anchors: number;
  /** What is wrong, a sentence each; none means that the log is as it was written. */
  readonly faults: readonly string[];
}

/** Walks every chain and every anchor. Finds what was changed, added or taken away, but for what no anchor holds yet. */
export async function verifyAudit(platform: Platform): Promise<Verification> {
  const { events, subjects, faults } = await verifyChains(platform);
  const anchored = await verifyAnchors(platform);
  return { events, subjects, anchors: anchored.anchors, faults: [...faults, ...anchored.faults] };
}

/** What is wrong with the chains of some subjects, a sentence each. */
export async function verifySubjects({ db }: Platform, subjectTags: readonly string[]): Promise<string[]> {
  const walk = new ChainWalk();
  for (const event of await selectEventsOf(db, subjectTags)) walk.next(event);
  return walk.faults;
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
  let anchors = 0;
  let last: { readonly id: number; readonly seal: Buffer } | undefined;
  for (;;) {
    const batch = await selectAnchorsAfter(db, last?.id ?? 0, BATCH);
    for (const anchor of batch) {
      const heads = await selectAnchoredHeads(db, anchor.id);
      const seals = sealer.digests(sealedText(last?.seal, anchor.at, heads));
      if (!seals.some((seal) => seal.equals(anchor.seal)))
        faults.push(`anchor ${anchor.id}: it was changed, or sealed with another secret`);
      for (const { subjectTag, sequence, hash, found } of heads) {
        if (found === null)
          faults.push(`event ${sequence} of ${subjectTag}: anchor ${anchor.id} holds it, the log does not`);
        else if (!found.equals(hash))
          faults.push(`event ${sequence} of ${subjectTag}: it is not the one in anchor ${anchor.id}`);
      }
      anchors += 1;
      last = anchor;
    }
    if (batch.length < BATCH) return { anchors, faults };
  }
}
