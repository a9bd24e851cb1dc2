import { kampalaDate } from '#contract/time/calendar.ts';
import { type Measured, samplesBy } from '#server/health/metrics.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { selectNewestAnchors, wasMailed } from './audit.queries.ts';
import { AlteredWitnessError, openWitness, type Testimony, type Witness } from './witness.ts';

/**
 * Sends each new anchor to the witness, and reports contradictions between the two. The newest seal is enough, because
 * it covers all earlier ones. No request waits for it.
 */

/** One day of anchors, so that a witness catches up after it was unreachable. */
const LOOKED_AT = 300;

/** The result of comparing the newest anchors with the witness. */
interface Comparison {
  /** The log's anchors that the witness doesn't have yet, oldest first. */
  readonly untold: readonly Testimony[];
  /** Contradictions between witness and log, one sentence each. */
  readonly contradictions: readonly string[];
  /** The number of the newest anchor that the witness has; 0 without any. */
  readonly newest: number;
}

async function compare(witness: Pick<Witness, 'read'>, anchors: readonly Testimony[]): Promise<Comparison> {
  const [first = { number: 1 }] = anchors;
  const last = anchors.at(-1)?.number ?? 0;
  const seals = new Map(anchors.map(({ number, seal }) => [number, seal]));
  const seen = new Set<number>();
  const contradictions: string[] = [];
  let newest = 0;
  for await (const { number, seal } of witness.read(first.number)) {
    newest = Math.max(newest, number);
    seen.add(number);
    const held = seals.get(number);
    if (held !== undefined && held !== seal)
      contradictions.push(`anchor ${number}: the witness has another seal, so the log was replaced`);
  }
  if (newest > last)
    contradictions.push(
      last === 0
        ? `the log has no anchors, but the witness has ${newest}: the log was removed`
        : `the log ends with anchor ${last}, but the witness has ${newest}: the newest ${newest - last} were removed`,
    );
  return { untold: anchors.filter(({ number }) => !seen.has(number)), contradictions, newest };
}

/** Sends missing anchors to the witness, unless it contradicts the log. Logs failures. */
export async function updateWitness({ db, config, log }: Platform): Promise<void> {
  if (config.auditWitness === undefined) return;
  try {
    const witness = await openWitness(config.auditWitness);
    const { untold, contradictions } = await compare(witness, await selectNewestAnchors(db, LOOKED_AT));
    for (const contradiction of contradictions) log.error({ contradiction }, 'the audit log contradicts its witness');
    if (contradictions.length > 0) return;
    for (const anchor of untold) await witness.append(anchor);
  } catch (error) {
    log.error({ err: error }, 'could not write to the witness of the audit log; trying again in five minutes');
  }
}

/** For /metrics. Any value other than 0 for a quarter of an hour needs a person. Absent without a witness. */
export const witnessMetric: Measured = {
  name: 'kasente_audit_witness',
  help: 'Anchors of the audit log that its witness lacks, contradictions between the two, and whether the witness is unreachable',
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
  /** The number of the newest anchor that it has; undefined without a witness. */
  readonly newest: number | undefined;
  readonly faults: readonly string[];
  /** Why the witness could not be read. This doesn't mean that the log is faulty. */
  readonly unread?: string;
}

/** Compares every anchor with the witness and with mailed seals. */
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

/** Treats the seals that a person enters as a witness. */
function witnessOf(mailed: readonly Testimony[]): Pick<Witness, 'read'> {
  return {
    async *read() {
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
    const empty = `the witness ${placeOf(auditWitness)} has no anchors, but the log has ${anchors.length}`;
    return { newest, faults: [...contradictions, ...(isEmpty ? [empty] : [])] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const unread = `the witness ${placeOf(auditWitness)} cannot be read (${reason})`;
    return error instanceof AlteredWitnessError ? { newest: 0, faults: [unread] } : { newest: 0, faults: [], unread };
  }
}

/** The location of the witness, without the bucket's key. */
function placeOf(witness: string): string {
  if (!witness.startsWith('s3:')) return witness;
  const { hostname, pathname } = new URL(witness);
  return `s3://${hostname}${pathname}`;
}

/** Mails the newest seal once a day, which makes the mailbox a witness, too. */
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
