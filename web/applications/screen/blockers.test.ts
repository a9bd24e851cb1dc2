import { describe, expect, it } from 'vitest';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { checkTyped, type Typed } from '#web/applications/draft/draft.ts';
import { emptyInvoice } from '#web/applications/invoice/invoice-values.ts';
import { emptyApplication } from '#web/applications/terms/application-values.ts';
import { countDone, findBlockers } from './blockers.ts';

const document = (typeId: number, mandatory: boolean, isThere = false): SupportingDocument => ({
  type: `Type ${typeId}`,
  typeId,
  mandatory,
  ...(isThere && { documentTag: '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a01' }),
});

const missing = [document(1, true), document(2, true), document(3, true), document(4, false)];
const noObstacles = { general: [], amount: undefined };
const empty: Typed = { invoice: emptyInvoice, application: emptyApplication() };
const invoice = {
  ...emptyInvoice,
  invoiceNumber: 'A-1',
  date: '2026-01-05',
  amount: 1000,
  currencyId: '1',
  buyerId: '2',
};
const application = { ...empty.application, amountAppliedFor: 900, financingPeriodId: '1' };

function countOf(
  typed: Typed,
  documents = missing,
  obstacles: Parameters<typeof countDone>[0]['obstacles'] = noObstacles,
) {
  return countDone({ wrong: checkTyped(typed), documents, obstacles });
}

describe('the count of what is done', () => {
  it('has everything from the start, and only goes up while somebody works through the form', () => {
    const steps: [Typed, SupportingDocument[]][] = [
      [empty, missing],
      [{ ...empty, invoice: { ...emptyInvoice, currencyId: '1' } }, missing],
      [{ ...empty, invoice }, missing],
      [{ invoice, application }, missing],
      [{ invoice, application }, [document(1, true, true), ...missing.slice(1)]],
      [{ invoice, application }, missing.map(({ typeId, mandatory }) => document(typeId, mandatory, mandatory))],
    ];
    const counts = steps.map(([typed, documents]) => countOf(typed, documents));
    expect(counts.map(({ total }) => total)).toEqual(Array.from({ length: 6 }, () => 10));
    expect(counts.map(({ done }) => done)).toEqual([0, 1, 5, 7, 8, 10]);
  });

  it('is complete exactly when nothing is missing', () => {
    const documents = missing.map(({ typeId, mandatory }) => document(typeId, mandatory, mandatory));
    const typed = { invoice, application };
    expect(findBlockers(typed, { wrong: checkTyped(typed), documents, obstacles: noObstacles })).toEqual([]);
    expect(countOf(typed, documents)).toEqual({ done: 10, total: 10 });
  });

  it('does not go back for a mistake in an optional field, which is named all the same', () => {
    const typed = { ...empty, invoice: { ...invoice, paymentDueOn: '2020-01-01' } };
    expect(countOf(typed)).toEqual(countOf({ ...empty, invoice }));
    const blockers = findBlockers(typed, { wrong: checkTyped(typed), documents: [], obstacles: noObstacles });
    expect(blockers.map(({ text }) => text)).toContain('Payment due date (to correct)');
  });

  it('has no amount done that the client cannot get, and one thing more for a late payment', () => {
    const above = { code: 'LIMIT_EXCEEDED', missing: [] } as const;
    expect(countOf({ invoice, application }, missing, { general: [], amount: above })).toEqual({ done: 6, total: 10 });
    const late = { code: 'OVERDUE_BLOCKS', missing: [] } as const;
    expect(countOf({ invoice, application }, missing, { general: [late], amount: undefined })).toEqual({
      done: 7,
      total: 11,
    });
  });
});
