import { describe, expect, it } from 'vitest';
import { decideAnswer, isMoot, isOnlyProposal } from './proposals.ts';

const ME = 1;
const open = { tag: 'a0', proposedBy: 2 };
const facts = { open, proposalTag: 'A0', me: ME, isProposerOfficer: true };

describe('a proposal', () => {
  it.each<[string, Partial<Parameters<typeof decideAnswer>[0]>, readonly string[], readonly string[]]>([
    ['of another officer', {}, [], []],
    ['of one’s own', { open: { ...open, proposedBy: ME } }, ['OWN_PROPOSAL'], []],
    ['of a former officer', { isProposerOfficer: false }, ['PROPOSAL_VOID'], []],
    ['that was replaced', { proposalTag: 'b0' }, ['PROPOSAL_CLOSED'], ['PROPOSAL_CLOSED']],
    [
      'that is closed',
      { open: undefined, isProposerOfficer: false },
      ['PROPOSAL_CLOSED', 'PROPOSAL_VOID'],
      ['PROPOSAL_CLOSED'],
    ],
  ])('%s', (_, given, toConfirm, toDrop) => {
    const codes = (answer: 'confirm' | 'drop') =>
      decideAnswer({ ...facts, ...given }, answer).refusals.map(({ code }) => code);
    expect([codes('confirm'), codes('drop')]).toEqual([toConfirm, toDrop]);
  });

  it('is what the answer decides on', () => {
    expect(decideAnswer(facts, 'confirm').decision).toBe(open);
  });

  it('is the only one of its application', () => {
    expect(isOnlyProposal({ open: undefined })).toBeUndefined();
    expect(isOnlyProposal({ open })).toEqual({ code: 'PROPOSAL_OPEN' });
  });

  it.each([
    ['writeOff', ['Approved', 'Settled']],
    ['receipt', ['Approved']],
    ['reversal', ['Approved', 'Disbursed', 'Settled']],
  ] as const)('of a %s is moot after an entry that leads to %j', (kind, moot) => {
    const after = (['Approved', 'Disbursed', 'Settled'] as const).filter((to) => isMoot(kind, to));
    expect(after).toEqual(moot);
  });
});
