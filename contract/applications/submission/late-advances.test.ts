import { expect, it } from 'vitest';
import { describeLateAdvances, type LateAdvance } from './late-advances.ts';

const late = (invoiceNumber: string, given: Partial<LateAdvance> = {}): LateAdvance => ({
  invoiceNumber,
  currencyCode: 'UGX',
  outstanding: 340_000_000,
  isWrittenOff: false,
  dueOn: '2026-11-09',
  ...given,
});

it.each<[readonly [LateAdvance, ...LateAdvance[]], string]>([
  [[late('A')], 'Pay back UGX 3,400,000 for invoice A. It was due 9 Nov 2026'],
  [[late('A', { isWrittenOff: true })], 'Pay back UGX 3,400,000 for invoice A. We wrote it off, and you still owe it'],
  [
    [late('A'), late('B', { dueOn: '2026-11-12' })],
    'Pay back UGX 6,800,000 for invoices A and B. The first was due 9 Nov 2026',
  ],
  [
    [late('A'), late('B', { currencyCode: 'USD', outstanding: 12_050 }), late('C')],
    'Pay back UGX 6,800,000 and USD 120.5 for invoices A, B and C. The first was due 9 Nov 2026',
  ],
  [
    [late('A'), late('B'), late('C'), late('D'), late('E')],
    'Pay back UGX 17,000,000 for invoices A, B, C and 2 more. The first was due 9 Nov 2026',
  ],
])('late advances are described in one sentence and their date: %#', (advances, text) => {
  expect(describeLateAdvances(advances)).toBe(text);
});
