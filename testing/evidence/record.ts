import { appendFileSync } from 'node:fs';
import type { ClaimId } from './claims.ts';

/**
 * How a test that shows a claim (testing/evidence/claims.ts) says what it found. In `npm test` it runs in its short form and
 * nobody listens; `npm run prove` sets PROOF=full and names the file to write to.
 */

/** Whether the full counts are run. */
export const full = process.env.PROOF === 'full';

/** The number of rounds: few in `npm test`, the claim's by `npm run prove`. */
export function rounds(short: number, many: number): number {
  return full ? many : short;
}

/** One line of the record: what a test found of a claim, that it found the fault which it planted, or why it could not look. */
export interface Finding {
  readonly claim: ClaimId;
  readonly kind: 'figure' | 'canary' | 'gap';
  readonly text: string;
}

function record(finding: Finding): void {
  const file = process.env.PROOF_RECORD;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(finding)}\n`);
}

/** Says what was measured, such as '500 kills, 51,204 acknowledgements, 0 lost'. To be called once all of it holds. */
export function proved(claim: ClaimId, text: string): void {
  record({ claim, kind: 'figure', text });
}

/** Says which planted fault was found, such as 'a row deleted behind the server’s back was found'. */
export function canaryFound(claim: ClaimId, text: string): void {
  record({ claim, kind: 'canary', text });
}

/** Says why nothing could be measured here, such as 'the registry gives no advisories'. The claim does not hold then. */
export function notShown(claim: ClaimId, text: string): void {
  record({ claim, kind: 'gap', text });
}
