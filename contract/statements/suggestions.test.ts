import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountFor, type Candidate, MAXIMUM_SUGGESTIONS, suggestFor } from './suggestions.ts';

const line = {
  amount: 50_000,
  currency: 'UGX',
  date: '2026-11-19',
  wasAssigned: false,
  payerName: 'UMEME LTD',
  details: 'for KDYC-7HHA',
};
const candidate: Candidate = {
  tag: 'a',
  reference: 'KDYC7HHA',
  status: 'Disbursed',
  currency: 'UGX',
  faceValue: 100_000,
  received: 0,
  outstanding: 90_000,
  paidOutOn: '2026-11-01',
  client: 'Jinja Agro',
  buyer: 'Mulago Hospital',
  hasPayersNumber: false,
  isBarred: false,
};
const other: Candidate = { ...candidate, tag: 'b', reference: 'ACDEFGHJ' };
const reasonsFor = (given: Partial<Candidate>, of: Partial<typeof line> = {}) =>
  suggestFor({ ...line, ...of }, [{ ...other, ...given }])[0]?.reasons;

describe('an application is suggested', () => {
  it.each([
    ['its reference is in the text', { reference: 'KDYC7HHA' }, ['reference']],
    ['the payer’s number is the client’s', { hasPayersNumber: true }, ['number']],
    ['the payer looks like its buyer', { buyer: 'Umeme Limited' }, ['buyer']],
    ['the payer looks like its client', { client: 'Umeme Limited' }, ['client']],
    ['the amount is what is owed', { outstanding: 50_000 }, ['amount']],
    ['the amount is what is owed, in whole shillings', { outstanding: 50_099 }, ['amount']],
    ['the payer and the amount fit', { buyer: 'Umeme', outstanding: 50_000 }, ['buyer', 'amount']],
  ] as const)('because %s', (_, given, reasons) => {
    expect(reasonsFor(given)).toEqual(reasons);
  });

  it('because a reference in the text looks like its own', () => {
    expect(reasonsFor({ reference: 'KDYC7HHA' }, { details: 'for KDYC7HHX' })).toEqual(['nearReference']);
  });
});

describe('an application is not suggested', () => {
  const named = { reference: 'KDYC7HHA' };
  it.each([
    ['nothing connects it', {}],
    ['nothing is owed, and no money came', { outstanding: 0 }],
    ['the reader is of one of its businesses', { ...named, isBarred: true }],
    ['it is in another currency', { ...named, currency: 'USD' }],
    ['it is not paid out', { ...named, status: 'Approved' as const }],
    ['it was paid out after the payment', { ...named, paidOutOn: '2026-11-20' }],
  ])('if %s', (_, given) => {
    expect(reasonsFor(given)).toBeUndefined();
  });

  it('by the name if the line has none', () => {
    expect(suggestFor({ ...line, payerName: null }, [{ ...other, buyer: '' }])).toEqual([]);
  });
});

describe('suggestions', () => {
  const tagsOf = (candidates: readonly Candidate[]) => suggestFor(line, candidates).map(({ to }) => to.tag);

  it('begin with the strongest reason, and payer with amount comes before payer alone', () => {
    const buyer = { ...other, tag: 'buyer', buyer: 'Umeme' };
    const amount = { ...other, tag: 'amount', outstanding: 50_000 };
    const both = { ...buyer, tag: 'both', outstanding: 50_000 };
    expect(tagsOf([amount, buyer, both, candidate])).toEqual(['a', 'both', 'buyer']);
    expect(tagsOf([amount, buyer])).toEqual(['buyer', 'amount']);
  });

  it('put a reference before everything else together', () => {
    const all = { ...other, buyer: 'Umeme', client: 'Umeme', hasPayersNumber: true, outstanding: 50_000 };
    expect(tagsOf([all, candidate])).toEqual(['a', 'b']);
  });

  it('put a reference that looks like its own before payer and amount', () => {
    const near = { ...candidate, tag: 'near' };
    const payer = { ...other, tag: 'payer', buyer: 'Umeme', outstanding: 50_000 };
    const mistyped = { ...line, details: 'for KDYC7HHX' };
    expect(suggestFor(mistyped, [payer, near]).map(({ to }) => to.tag)).toEqual(['near', 'payer']);
  });

  it('keep the order of equally likely applications', () => {
    const same = ['x', 'y', 'z'].map((tag) => ({ ...other, tag, buyer: 'Umeme' }));
    expect(tagsOf(same)).toEqual(['x', 'y', 'z']);
    expect(tagsOf(same.toReversed())).toEqual(['z', 'y', 'x']);
  });

  it('are never more than three, and each has a reason and can be assigned', () => {
    const any = fc.record({
      tag: fc.uuid(),
      reference: fc.constantFrom('KDYC7HHA', 'ACDEFGHJ'),
      status: fc.constantFrom('Approved', 'Disbursed', 'Settled', 'Withdrawn'),
      currency: fc.constantFrom('UGX', 'USD'),
      faceValue: fc.nat(100_000),
      received: fc.nat(100_000),
      outstanding: fc.constantFrom(0, 50_000, 90_000),
      paidOutOn: fc.constantFrom(null, '2026-11-01', '2026-11-20'),
      client: fc.constantFrom('Umeme', 'Jinja Agro'),
      buyer: fc.constantFrom('Umeme', 'Mulago Hospital'),
      hasPayersNumber: fc.boolean(),
      isBarred: fc.boolean(),
    });
    const property = fc.property(fc.array(any), (candidates) => {
      const found = suggestFor(line, candidates);
      expect(found.length).toBeLessThanOrEqual(MAXIMUM_SUGGESTIONS);
      for (const { to, reasons } of found) {
        expect(reasons).not.toEqual([]);
        expect(to).toMatchObject({ currency: 'UGX', paidOutOn: '2026-11-01', isBarred: false });
        expect(['Disbursed', 'Settled']).toContain(to.status);
      }
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('the offered amount', () => {
  it.each([
    ['all that is left', 50_000, { faceValue: 100_000, received: 0 }, 50_000],
    ['what the invoice still takes', 50_000, { faceValue: 100_000, received: 70_000 }, 30_000],
    ['all that is left, where the invoice takes nothing', 50_000, { faceValue: 100_000, received: 100_000 }, 50_000],
  ])('is %s', (_, left, invoice, amount) => {
    expect(amountFor(left, invoice)).toBe(amount);
  });
});
