import { appendFileSync } from 'node:fs';
import type { ClaimId } from './claims.ts';

/**
 * How a test that proves a claim (testing/evidence/claims.ts) reports its result. In CI it runs in its short form
 * and reports are dropped; `npm run prove` sets PROOF=full and names the file to write to.
 */

/** Whether the full counts are run. */
export const full = process.env.PROOF === 'full';

/** The number of rounds: `short` in CI, `many` in `npm run prove`. */
export function rounds(short: number, many: number): number {
  return full ? many : short;
}

/**
 * One line of the record: a test's figure for a claim, the planted fault that it found, or why it could not measure.
 */
export interface Finding {
  readonly claim: ClaimId;
  readonly kind: 'figure' | 'canary' | 'gap';
  readonly text: string;
}

function record(finding: Finding): void {
  const file = process.env.PROOF_RECORD;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(finding)}\n`);
}

/**
 * Reports a measurement, such as '500 kills, 51,204 acknowledgements, 0 lost'. Call it only once everything in it
 * holds.
 */
export function proved(claim: ClaimId, text: string): void {
  record({ claim, kind: 'figure', text });
}

/** Reports that a planted fault was found, such as 'a row deleted behind the server’s back was found'. */
export function canaryFound(claim: ClaimId, text: string): void {
  record({ claim, kind: 'canary', text });
}

/** Reports why nothing could be measured here, such as 'the registry gives no advisories'. The claim then fails. */
export function notShown(claim: ClaimId, text: string): void {
  record({ claim, kind: 'gap', text });
}
