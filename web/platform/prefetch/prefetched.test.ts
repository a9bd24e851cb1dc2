import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { forgetPrefetched, prefetch, takeArrived, takePrefetched } from './prefetched.ts';

const URL_OF_INVOICE = '/api/v1/invoices/a-tag';
const { listInvoices, loadInvoice } = invoiceEndpoints;
const { saveInvoice } = applicationEndpoints;

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

describe('a prefetched answer', () => {
  it('arrives with its body, whether it is used or not', async () => {
    prefetch({ url: URL_OF_INVOICE });
    await expect.poll(() => answered.map(({ bodyUsed }) => bodyUsed)).toEqual([true]);
    expect(await takePrefetched(loadInvoice, { url: URL_OF_INVOICE })).toEqual({ amount: 0 });
  });

  it('is asked for once and used once', async () => {
    prefetch({ url: URL_OF_INVOICE });
    prefetch({ url: URL_OF_INVOICE });
    expect(answered).toHaveLength(1);
    expect(await takePrefetched(loadInvoice, { url: URL_OF_INVOICE })).toBeDefined();
    expect(await takePrefetched(loadInvoice, { url: URL_OF_INVOICE })).toBeUndefined();
  });

  it('is there for a screen to begin with, once it has arrived', async () => {
    prefetch({ url: URL_OF_INVOICE });
    expect(takeArrived({ url: URL_OF_INVOICE })).toBeUndefined();
    await expect.poll(() => takeArrived({ url: URL_OF_INVOICE })).toEqual({ amount: 0 });
    expect(takeArrived({ url: URL_OF_INVOICE })).toBeUndefined();
    expect(await takePrefetched(loadInvoice, { url: URL_OF_INVOICE })).toBeUndefined();
  });

  it('begins no screen where it was refused', async () => {
    const refusal = Response.json({ code: 'NOT_FOUND' }, { status: 404 });
    vi.stubGlobal('fetch', async () => refusal);
    prefetch({ url: URL_OF_INVOICE });
    await expect.poll(() => refusal.bodyUsed).toBe(true);
    expect(takeArrived({ url: URL_OF_INVOICE })).toBeUndefined();
  });

  it('answers a question that is put as POST, the same one alone', async () => {
    const question = { url: '/api/v1/invoices/list', body: { page: 1 } };
    prefetch(question);
    expect(await takePrefetched(listInvoices, { ...question, body: { page: 2 } })).toBeUndefined();
    expect(await takePrefetched(listInvoices, question)).toEqual({ amount: 0 });
    expect(sent).toEqual([expect.objectContaining({ method: 'POST', body: '{"page":1}' })]);
  });

  it('is not used after a change, nor after it was forgotten', async () => {
    prefetch({ url: URL_OF_INVOICE });
    await takePrefetched(saveInvoice, { url: '/api/v1/invoices' });
    expect(await takePrefetched(loadInvoice, { url: URL_OF_INVOICE })).toBeUndefined();
    prefetch({ url: URL_OF_INVOICE });
    forgetPrefetched();
    expect(await takePrefetched(loadInvoice, { url: URL_OF_INVOICE })).toBeUndefined();
  });
});
