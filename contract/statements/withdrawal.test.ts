import { describe, expect, it } from 'vitest';
import {
  confirmationRefusals,
  consequenceCodes,
  consequencesOf,
  describeMentioned,
  dropRefusals,
  type Mentioned,
  obstacleCodes,
  obstaclesOf,
  proposalRefusals,
  type StatementUses,
} from './withdrawal.ts';

const none: Mentioned = { total: 0, first: [] };
const some = (total: number, ...names: string[]): Mentioned => ({
  total,
  first: names.map((name) => ({ name, applicationTag: null })),
});
const uses = (given: Partial<StatementUses> = {}): StatementUses => ({
  credited: none,
  returnOpen: none,
  returned: none,
  repeat: none,
  paid: none,
  closedDay: none,
  payout: none,
  importAgain: none,
  ...given,
});
const open = { tag: 'a-1', proposedBy: 1, isConfirmed: false };
const free = { withdrawal: undefined, isProposerOfficer: true, uses: uses() };
const codes = (refusals: readonly { readonly code: string }[]) => refusals.map(({ code }) => code);

describe('a withdrawal', () => {
  it('can be proposed once, if the statement is in force', () => {
    expect(codes(proposalRefusals(free))).toEqual([]);
    expect(codes(proposalRefusals({ ...free, withdrawal: open }))).toEqual(['PROPOSAL_OPEN']);
    const withdrawn = { ...open, isConfirmed: true };
    expect(codes(proposalRefusals({ ...free, withdrawal: withdrawn }))[0]).toBe('STATEMENT_WITHDRAWN');
  });

  it.each([
    ['another officer', {}, []],
    ['another officer, by the tag in capitals', { tag: 'A-1' }, []],
    ['its proposer', { officerId: 1 }, ['OWN_PROPOSAL']],
    ['an officer who saw another proposal', { tag: 'b-2' }, ['PROPOSAL_CLOSED']],
    ['anybody after it was dropped', { withdrawal: undefined }, ['PROPOSAL_CLOSED']],
    ['anybody after it was confirmed', { withdrawal: { ...open, isConfirmed: true } }, ['PROPOSAL_CLOSED']],
    ['anybody once its proposer is no officer', { isProposerOfficer: false }, ['PROPOSAL_VOID']],
  ])('is confirmed by %s: %j gives %j', (_, given, expected) => {
    const facts = { ...free, withdrawal: open, tag: 'a-1', officerId: 2, ...given };
    expect(codes(confirmationRefusals(facts))).toEqual(expected);
  });

  it('can be dropped while it is open, also by its proposer', () => {
    expect(codes(dropRefusals({ withdrawal: open, tag: 'a-1' }))).toEqual([]);
    expect(codes(dropRefusals({ withdrawal: open, tag: 'b-2' }))).toEqual(['PROPOSAL_CLOSED']);
  });

  it.each(obstacleCodes)('is refused while something depends on the statement: %s', (kind) => {
    const facts = { ...free, uses: uses({ [kind]: some(7, 'INV-1', 'INV-2') }) };
    expect(obstaclesOf(facts.uses).map((one) => one.kind)).toEqual([kind]);
    const [refusal] = proposalRefusals(facts);
    expect(refusal).toMatchObject({ code: 'STATEMENT_USED' });
    expect(refusal?.more).toMatch(/: INV-1; INV-2; and 5 more$/);
    const confirmed = { ...facts, withdrawal: open, tag: 'a-1', officerId: 2 };
    expect(codes(confirmationRefusals(confirmed))).toEqual(['STATEMENT_USED']);
  });

  it.each(consequenceCodes)('is not refused because of its consequences: %s', (kind) => {
    const facts = { ...free, uses: uses({ [kind]: some(1, '4 Nov 2026') }) };
    expect(proposalRefusals(facts)).toEqual([]);
    expect(consequencesOf(facts.uses)).toEqual([{ kind, ...some(1, '4 Nov 2026') }]);
  });

  it('is refused with all obstacles that exist, and no others', () => {
    const given = uses({ credited: some(1, 'INV-1, UGX 500'), returned: some(1, 'L7, UGX 5') });
    expect(proposalRefusals({ ...free, uses: given })).toEqual([
      {
        code: 'STATEMENT_USED',
        more:
          'Reverse these repayments first: INV-1, UGX 500. ' +
          'This money was sent back, so the statement stays: L7, UGX 5',
      },
    ]);
    expect(describeMentioned(some(1, 'INV-1'))).toBe('INV-1');
  });
});
