import { kampalaDate } from '#contract/time/calendar.ts';
import { type Measured, samplesBy } from '#server/health/metrics.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { selectNewestAnchors, wasMailed } from './audit.queries.ts';
import { AlteredWitnessError, openWitness, type Testimony, type Witness } from './witness.ts';

/**
 * Tells the witness each new anchor, and reports contradictions between the two. The newest seal is enough: it covers
 * all before it. No request waits for it.
 */

/** A day of anchors, so that a witness that was unreachable catches up. */
const LOOKED_AT = 300;

/** The result of comparing the newest anchors with the witness. */
interface Comparison {
  /** The log's anchors that the witness does not have yet, oldest first. */
  readonly untold: readonly Testimony[];
  /** Where the witness contradicts the log, one sentence each. */
  readonly contradictions: readonly string[];
  /** The newest anchor that the witness has; 0 without any. */
  readonly newest: number;
}

async function compare(witness: Pick<Witness, 'told'>, anchors: readonly Testimony[]): Promise<Comparison> {
  const [first = { number: 1 }] = anchors;
  const last = anchors.at(-1)?.number ?? 0;
  const seals = new Map(anchors.map(({ number, seal }) => [number, seal]));
  const told = new Set<number>();
  const contradictions: string[] = [];
  let newest = 0;
  for await (const { number, seal } of witness.told(first.number)) {
    newest = Math.max(newest, number);
    told.add(number);
    const held = seals.get(number);
    if (held !== undefined && held !== seal)
      contradictions.push(`anchor ${number}: the witness was told another seal, so the log was replaced`);
  }
  if (newest > last)
    contradictions.push(
      last === 0
        ? `the log has no anchor, and the witness was told of ${newest}: the record was taken away`
        : `the log ends with anchor ${last}, and the witness was told of ${newest}: the newest ${newest - last} were taken away`,
    );
  return { untold: anchors.filter(({ number }) => !told.has(number)), contradictions, newest };
}

/** Tells the witness what it does not have yet, unless it contradicts the log. Logs failures. */
export async function tellWitness({ db, config, log }: Platform): Promise<void> {
  if (config.auditWitness === undefined) return;
  try {
    const witness = await openWitness(config.auditWitness);
    const { untold, contradictions } = await compare(witness, await selectNewestAnchors(db, LOOKED_AT));
    for (const contradiction of contradictions)
      log.error({ contradiction }, 'the audit log is not what its witness says');
    if (contradictions.length > 0) return;
    for (const anchor of untold) await witness.tell(anchor);
  } catch (error) {
    log.error({ err: error }, 'the witness of the audit log could not be told; it is tried again in five minutes');
  }
}

/** For /metrics: a value other than 0 for a quarter of an hour needs a person; absent without a witness. */
export const witnessMetric: Measured = {
  name: 'kasente_audit_witness',
  help: 'Anchors that the witness of the audit log was not told of, contradictions between the two, and whether it is out of reach',
  kind: 'gauge',
  labels: ['state'],
  measure: async ({ db, config }) => {
    if (config.auditWitness === undefined) return [];
    const anchors = await selectNewestAnchors(db, LOOKED_AT);
    try {
      const { untold, contradictions } = await compare(await openWitness(config.auditWitness), anchors);
      return samplesBy('state', { untold: untold.length, contradicts: contradictions.length, unreachable: 0 });
    } catch {
      return samplesBy('state', { untold: 0, contradicts: 0, unreachable: 1 });
    }
  },
};

/** The witness's part of a verification. */
export interface WitnessVerified {
  /** The newest anchor that it has; undefined without a witness. */
  readonly newest: number | undefined;
  readonly faults: readonly string[];
  /** Why the witness could not be read, which says nothing about the log. */
  readonly unread?: string;
}

/** Compares every anchor with the witness, and with the seals that were mailed. */
export async function verifyWitness(
  platform: Platform,
  anchors: readonly Testimony[],
  mailed: readonly Testimony[] = [],
): Promise<WitnessVerified> {
  const inMail = await compare(witnessOf(mailed), anchors);
  const kept = await verifyPlace(platform, anchors);
  const newest = mailed.length === 0 ? kept.newest : Math.max(inMail.newest, kept.newest ?? 0);
  return { ...kept, newest, faults: [...new Set([...inMail.contradictions, ...kept.faults])] };
}

/** A seal that a person brings counts as a witness. */
function witnessOf(mailed: readonly Testimony[]): Pick<Witness, 'told'> {
  return {
    async *told() {
      yield* mailed;
    },
  };
}

async function verifyPlace({ config }: Platform, anchors: readonly Testimony[]): Promise<WitnessVerified> {
  const { auditWitness } = config;
  if (auditWitness === undefined) return { newest: undefined, faults: [] };
  try {
    const { contradictions, newest } = await compare(await openWitness(auditWitness), anchors);
    const isEmpty = newest === 0 && anchors.length > 0;
    const empty = `the witness ${placeOf(auditWitness)} was told of no anchor, and the log has ${anchors.length}`;
    return { newest, faults: [...contradictions, ...(isEmpty ? [empty] : [])] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const unread = `the witness ${placeOf(auditWitness)} cannot be read (${reason})`;
    return error instanceof AlteredWitnessError ? { newest: 0, faults: [unread] } : { newest: 0, faults: [], unread };
  }
}

/** Without the bucket's key. */
function placeOf(witness: string): string {
  if (!witness.startsWith('s3:')) return witness;
  const { hostname, pathname } = new URL(witness);
  return `s3://${hostname}${pathname}`;
}

/** Mails the newest seal once a day; that mailbox is a witness too. */
export async function mailSeal(platform: Platform): Promise<void> {
  const { db, clock, config } = platform;
  const to = config.auditWitnessEmail;
  if (to === undefined) return;
  const now = clock.now();
  const subject = `Kasente audit log, ${kampalaDate(now)}`;
  await db.inTransaction(async (change) => {
    const [newest] = await selectNewestAnchors(change, 1);
    if (newest === undefined || (await wasMailed(change, to, subject))) return;
    const body = [
      `Anchor ${newest.number}`,
      `Seal ${newest.seal}`,
      '',
      'Keep this message. The audit log must always hold this anchor with this seal. Compare it with:',
      'npm run audit:verify -- --seal <number>:<seal>',
    ];
    await queueMessage(platform, change, { channel: 'email', to, subject, body: body.join('\n') });
  });
}
