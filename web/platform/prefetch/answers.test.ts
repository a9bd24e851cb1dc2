import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { askAhead, forgetAhead, takeAhead, takeArrived } from './answers.ts';

const URL_OF_INVOICE = '/api/v1/invoices/a-tag';
const { loadInvoice } = invoiceEndpoints;
const { saveInvoice } = applicationEndpoints;

let answered: Response[];

beforeEach(() => {
  answered = [];
  vi.stubGlobal('fetch', async () => {
    const answer = Response.json({ amount: answered.length });
    answered.push(answer);
    return answer;
  });
});

afterEach(() => {
  forgetAhead();
  vi.unstubAllGlobals();
});

describe('an answer that was asked for ahead', () => {
  it('has arrived with its body, whether somebody reads it or not', async () => {
    askAhead(URL_OF_INVOICE);
    await expect.poll(() => answered.map(({ bodyUsed }) => bodyUsed)).toEqual([true]);
    const taken = await takeAhead(loadInvoice, URL_OF_INVOICE);
    expect(await taken?.json()).toEqual({ amount: 0 });
  });

  it('is asked for once and used once', async () => {
    askAhead(URL_OF_INVOICE);
    askAhead(URL_OF_INVOICE);
    expect(answered).toHaveLength(1);
    expect(await takeAhead(loadInvoice, URL_OF_INVOICE)).toBeDefined();
    expect(await takeAhead(loadInvoice, URL_OF_INVOICE)).toBeUndefined();
  });

  it('is there for a screen to begin with, once it has arrived', async () => {
    askAhead(URL_OF_INVOICE);
    expect(takeArrived(URL_OF_INVOICE)).toBeUndefined();
    await expect.poll(() => takeArrived(URL_OF_INVOICE)).toEqual({ amount: 0 });
    expect(takeArrived(URL_OF_INVOICE)).toBeUndefined();
    expect(await takeAhead(loadInvoice, URL_OF_INVOICE)).toBeUndefined();
  });

  it('begins no screen where it was refused', async () => {
    const refusal = Response.json({ code: 'NOT_FOUND' }, { status: 404 });
    vi.stubGlobal('fetch', async () => refusal);
    askAhead(URL_OF_INVOICE);
    await expect.poll(() => refusal.bodyUsed).toBe(true);
    expect(takeArrived(URL_OF_INVOICE)).toBeUndefined();
  });

  it('is not used after a change, nor after it was forgotten', async () => {
    askAhead(URL_OF_INVOICE);
    await takeAhead(saveInvoice, '/api/v1/invoices');
    expect(await takeAhead(loadInvoice, URL_OF_INVOICE)).toBeUndefined();
    askAhead(URL_OF_INVOICE);
    forgetAhead();
    expect(await takeAhead(loadInvoice, URL_OF_INVOICE)).toBeUndefined();
  });
});
