import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OwnEntry, type Recorder, refusalOfRelease } from './release.ts';

const kinds = ['disbursement', 'surplus'] as const;
const entryKinds = ['disbursement', 'receipt', 'surplus'] as const;

/** The entries that an officer may have recorded on a case. */
const entries = fc.array(
  fc.record({ kind: fc.constantFrom(...entryKinds), isReversed: fc.boolean(), isReversal: fc.boolean() }),
  { maxLength: 4 },
);

/** The approvers, out of some officers: one, or two different ones. */
const approversOf = (officers: readonly number[]) =>
  officers.flatMap((decidedBy) => [
    { firstApprovedBy: null, decidedBy },
    ...officers.filter((id) => id !== decidedBy).map((firstApprovedBy) => ({ firstApprovedBy, decidedBy })),
  ]);

describe('a release', () => {
  it('is possible for two officers, whichever of them approved, paid, received and reversed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.constantFrom(...approversOf([1, 2])),
        fc.tuple(entries, entries),
        (kind, approvers, [ofOne, ofOther]) => {
          const [one, other] = [
            { id: 1, own: ofOne },
            { id: 2, own: ofOther },
          ];
          const refusals = [
            refusalOfRelease(kind, approvers, { releaser: one, preparer: other }),
            refusalOfRelease(kind, approvers, { releaser: other, preparer: one }),
          ];
          expect(refusals).toContain(undefined);
        },
      ),
    );
  });

  it('takes two people for every combination of approvers, preparer and releaser', () => {
    const officers = [1, 2, 3];
    const some: readonly OwnEntry[] = [
      { kind: 'disbursement', isReversed: true, isReversal: false },
      { kind: 'receipt', isReversed: false, isReversal: false },
    ];
    const recorders: readonly Recorder[] = officers.flatMap((id) => [
      { id, own: [] },
      { id, own: some },
    ]);
    let released = 0;
    for (const kind of kinds)
      for (const approvers of approversOf(officers))
        for (const preparer of recorders)
          for (const releaser of recorders) {
            if (refusalOfRelease(kind, approvers, { releaser, preparer }) !== undefined) continue;
            released += 1;
            expect(releaser.id).not.toBe(preparer.id);
            const { firstApprovedBy, decidedBy } = approvers;
            if (kind === 'disbursement') expect([firstApprovedBy, decidedBy]).not.toEqual([null, releaser.id]);
          }
    expect(released).toBeGreaterThan(100);
  });

  it.each([
    ['disbursement', 'disbursement', true, 'OWN_DISBURSEMENT'],
    ['surplus', 'receipt', false, 'OWN_RECEIPT'],
  ] as const)(
    'of a %s goes to its preparer where their own %s bars only the releaser',
    (kind, of, isReversed, code) => {
      const approvers = { firstApprovedBy: 1, decidedBy: 2 };
      const bound = { id: 2, own: [{ kind: of, isReversed, isReversal: false }] };
      const refusal = (preparer: Recorder | undefined) =>
        refusalOfRelease(kind, approvers, { releaser: bound, preparer });
      expect([refusal({ id: 1, own: [] }), refusal(undefined)]).toEqual([code, code]);
      expect(refusal({ ...bound, id: 1 })).toBeUndefined();
      const alone = refusalOfRelease(
        kind,
        { firstApprovedBy: null, decidedBy: 1 },
        { releaser: bound, preparer: { id: 1, own: [] } },
      );
      expect(alone).toBe(kind === 'surplus' ? code : undefined);
    },
  );

  it('of a surplus is barred to the officer who paid a reversed one, not to the payer of one in force', () => {
    const approvers = { firstApprovedBy: null, decidedBy: 9 };
    const paid = (isReversed: boolean) => ({
      id: 2,
      own: [{ kind: 'surplus', isReversed, isReversal: false } as const],
    });
    const refusal = (releaser: Recorder) =>
      refusalOfRelease('surplus', approvers, { releaser, preparer: { id: 1, own: [] } });
    expect([refusal(paid(false)), refusal(paid(true))]).toEqual([undefined, 'OWN_SURPLUS']);
  });
});
