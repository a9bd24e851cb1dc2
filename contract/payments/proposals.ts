import type { Status } from '#contract/applications/lifecycle.ts';
import type { ProposalKind } from './schema.ts';

/** Proposals about an application's money, which another officer confirms (docs/decisions/0033-officers-who-cheat.md). */

/**
 * Whether an entry that leads to this status makes an open proposal moot: nothing is left to write off, or a payment
 * shows that the one to be reversed was real.
 */
export function isMoot(kind: ProposalKind, to: Status): boolean {
  switch (kind) {
    case 'writeOff':
      return to !== 'Disbursed';
    case 'receipt':
      return to === 'Approved';
    case 'reversal':
      return true;
  }
}
