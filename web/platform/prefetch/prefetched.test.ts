import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { forgetPrefetched, prefetch, takeArrived, takePrefetched } from './prefetched.ts';

const invoice = { endpoint: invoiceEndpoints.loadInvoice, params: { tag: 'a-tag' } };
const firstPage = { endpoint: invoiceEndpoints.listInvoices, body: { page: 1 } };

let answered: Response[];
let sent: (RequestInit | undefined)[];

beforeEach(() => {
  answered = [];
  sent = [];
  vi.stubGlobal('fetch', async (_: string, request?: RequestInit) => {
    sent.push(request);
    const answer = Response.json({ amount: answered.length });
    answered.push(answer);
    return answer;
  });
});

afterEach(() => {
  forgetPrefetched();
  vi.unstubAllGlobals();
});

describe('a prefetched reply', () => {
  it('arrives with its body, whether it is used or not', async () => {
    prefetch(invoice);
    await expect.poll(() => answered.map(({ bodyUsed }) => bodyUsed)).toEqual([true]);
    expect(await takePrefetched(invoice)).toEqual({ amount: 0 });
  });

  it('is requested once and used once', async () => {
    prefetch(invoice);
    prefetch(invoice);
    expect(answered).toHaveLength(1);
    expect(await takePrefetched(invoice)).toBeDefined();
    expect(await takePrefetched(invoice)).toBeUndefined();
  });

  it('is available when a screen starts, once it has arrived', async () => {
    prefetch(invoice);
    expect(takeArrived(invoice)).toBeUndefined();
    await expect.poll(() => takeArrived(invoice)).toEqual({ amount: 0 });
    expect(takeArrived(invoice)).toBeUndefined();
    expect(await takePrefetched(invoice)).toBeUndefined();
  });

  it('is not available to a screen if it was a refusal', async () => {
    const refusal = Response.json({ code: 'NOT_FOUND' }, { status: 404 });
    vi.stubGlobal('fetch', async () => refusal);
    prefetch(invoice);
    await expect.poll(() => refusal.bodyUsed).toBe(true);
    expect(takeArrived(invoice)).toBeUndefined();
  });

  it('is used for the same POST query, and no other', async () => {
    prefetch(firstPage);
    expect(await takePrefetched({ ...firstPage, body: { page: 2 } })).toBeUndefined();
    expect(await takePrefetched(firstPage)).toEqual({ amount: 0 });
    expect(sent).toEqual([expect.objectContaining({ method: 'POST', body: '{"page":1}' })]);
  });

  it('is not used after a change, or after it was dropped', async () => {
    prefetch(invoice);
    await takePrefetched({ endpoint: applicationEndpoints.saveInvoice });
    expect(await takePrefetched(invoice)).toBeUndefined();
    prefetch(invoice);
    forgetPrefetched();
    expect(await takePrefetched(invoice)).toBeUndefined();
  });
});
