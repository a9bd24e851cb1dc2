import { expect, it } from 'vitest';
import type { QueueRow } from '#contract/desk/schema.ts';
import { holdOrder } from './steady-rows.ts';

const row = (tag: string, client: string, total?: number): QueueRow => ({
  tag,
  invoiceNumber: 'INV-1',
  client,
  clientTag: 'client',
  buyer: 'Umeme',
  buyerTag: 'umeme',
  currency: 'UGX',
  amount: 1,
  amountAppliedFor: 1,
  amountReceived: 1,
  status: 'Submitted',
  submittedAt: '2026-11-20T05:00:00.000Z',
  clock: { decideBy: null, state: 'stopped', minutesLeft: 5, missed: false, targetMinutes: 240 },
  holder: null,
  firstApprovalBy: null,
  flags: 0,
  mark: null,
  decidedAt: null,
  decidedBy: null,
  dueOn: null,
  overdue: null,
  outstanding: null,
  surplusOwed: 0,
  settledAt: null,
  collection: null,
  pending: [],
  ...(total === undefined ? {} : { total }),
});

it('the rows keep their places with new values, and new rows are counted', () => {
  const held = holdOrder([row('a', 'A', 2), row('b', 'B')], [row('c', 'C', 3), row('b', 'B again'), row('a', 'A')]);
  expect(held.rows.map(({ tag, client }) => [tag, client])).toEqual([
    ['a', 'A'],
    ['b', 'B again'],
  ]);
  expect(held.rows[0]?.total).toBe(3);
  expect(held.newRows).toBe(1);
});

it('a row that the server no longer has stays until the list may move', () => {
  const held = holdOrder([row('a', 'A', 2), row('b', 'B')], [row('b', 'B', 1)]);
  expect(held.rows.map(({ tag, total }) => [tag, total])).toEqual([
    ['a', 1],
    ['b', undefined],
  ]);
  expect(held.newRows).toBe(0);
});
