import { keysOf } from '#contract/keys.ts';

/**
 * The reasons for declining an application. The officer picks the key; the client reads the text above the officer's
 * note.
 */
export const declineReasons = {
  documents: 'The documents do not show that the work was done and accepted',
  invoice: 'We could not confirm the invoice with what was sent to us',
  buyer: 'We do not finance invoices of this buyer at present',
  alreadyFinanced: 'The invoice seems to be financed already',
  history: 'Earlier advances have not been paid back as agreed',
  other: 'Another reason, which our note explains',
} as const satisfies Record<string, string>;

export type DeclineReason = keyof typeof declineReasons;
export const declineReasonCodes = keysOf(declineReasons);
