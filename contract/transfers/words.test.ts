import { describe, expect, it } from 'vitest';
import { sayToClient } from './client-words.ts';
import { sayToOfficer } from './officer-words.ts';
import { refusals, refusalWords } from './refusals.ts';
import type { ShownTransfer } from './schema.ts';

const now = new Date('2026-11-20T07:05:00Z');
const shown: ShownTransfer = {
  tag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b12',
  rail: 'MTN mobile money',
  state: 'sent',
  amount: 801_000,
  to: 'MTN ••• 678, Sarah Nabirye',
  releasedAt: '2026-11-20T07:02:00Z',
  nextAskAt: '2026-11-20T07:07:00Z',

  knownAt: null,
  providerReference: null,
  refusal: null,
  part: null,
  isHeld: false,
  file: null,
  said: null,
  releasedBy: 'Grace Auma',
};

const part = { number: 1, of: 2, rest: 301_000, paid: [] };

describe('the text for an officer', () => {
  it.each([
    [{}, 'On its way since 10:02: MTN mobile money has taken it'],
    [
      { state: 'unknown' },
      'On its way since 10:02: MTN mobile money does not say whether it is paid. We ask again at 10:07',
    ],
    [
      { state: 'unknown', refusal: 'walletClosed' },
      'MTN mobile money says that the account is closed. We make sure that it did not pay all the same, and ask again at 10:07',
    ],
    [
      { state: 'released', isHeld: true },
      'Not sent: its account was frozen, replaced or checked again. Two officers stop it under Payouts',
    ],
    [
      { isHeld: true },
      'On its way since 10:02: MTN mobile money has taken it. We do not send it again: its account was frozen, replaced or checked again',
    ],
    [{ state: 'succeeded', providerReference: '8841' }, 'Paid out, MTN mobile money 8841'],
    [{ part }, 'Part 1 of 2. On its way since 10:02: MTN mobile money has taken it'],
    [{ part, state: 'succeeded', providerReference: '8841' }, 'Part 1 of 2. Paid out, MTN mobile money 8841'],
    [
      { state: 'failed', refusal: 'insufficientFloat' },
      'Not paid: MTN mobile money has not enough of our money. Top up our wallet, then prepare the payout again',
    ],
  ] as const)('says how a payout stands and what to do: %o', (change, said) => {
    expect(sayToOfficer({ ...shown, ...change }, now)).toBe(said);
  });
});

describe('the text for an officer about a payout by file', () => {
  const file = {
    reference: 'ACDE-FGH3',
    batch: 12,
    sentAt: '2026-11-20T07:02:00Z',
    payoutTag: shown.tag,
  };
  const waiting = { ...file, batch: null, sentAt: null };
  it.each([
    [{ state: 'released', file: waiting }, 'Released at 10:02: waits for the next batch file'],
    [
      { state: 'released', isHeld: true, file: waiting },
      'Left out of files: its account was frozen, replaced or checked again. Cancel this payout',
    ],
    [
      { isHeld: true, file },
      'In batch 12 for the bank since 10:02, as ACDE-FGH3. Ask the bank to stop it: its account was frozen, replaced or checked again',
    ],
    [{ file }, 'In batch 12 for the bank since 10:02, as ACDE-FGH3'],
    [{ state: 'succeeded', providerReference: 'FT1', file }, 'Paid out, Bank FT1'],
    [{ state: 'failed', file: waiting }, 'Cancelled before it was in a file. Prepare the payout again'],
    [{ state: 'failed', file }, 'Not paid by batch 12: Bank could not do it. Prepare the payout again'],
  ] as const)('says how it stands and what to do: %o', (change, said) => {
    expect(sayToOfficer({ ...shown, rail: 'Bank', ...change }, now)).toBe(said);
  });
});

describe('the text for a client', () => {
  it.each([
    [{}, 'Your money is on its way to MTN ••• 678, Sarah Nabirye.'],
    [{ state: 'unknown' }, 'Your money is on its way to MTN ••• 678, Sarah Nabirye.'],
    [
      { state: 'released', isHeld: true },
      "We stopped this payment: the account MTN ••• 678, Sarah Nabirye was frozen or changed. We'll call you.",
    ],
    [{ state: 'succeeded', providerReference: '8841' }, null],
    [
      { state: 'failed', refusal: 'walletClosed' },
      'We could not send it to MTN ••• 678, Sarah Nabirye: MTN mobile money says that the account is closed. Choose another payout account, or call us.',
    ],
  ] as const)('says where their money is: %o', (change, said) => {
    expect(sayToClient({ ...shown, ...change })).toBe(said);
  });

  it('does not mention our wallet or settings, whatever the refusal', () => {
    for (const refusal of refusals) {
      const { means, clientNext } = refusalWords[refusal];
      const said = sayToClient({ ...shown, state: 'failed', refusal });
      expect(said?.includes(means)).toBe(clientNext !== null);
      expect(said).not.toMatch(/our (?:money|settings|own account)/);
    }
  });
});
