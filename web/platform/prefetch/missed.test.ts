import { QueryClient } from '@tanstack/react-query';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { queryOf } from '#web/platform/api/use-call.ts';
import { forgetPrefetched, prefetch, promise } from './prefetched.ts';

const endpoint = invoiceEndpoints.listInvoices;
const bodyOf = (page: number) => ({ page, searchPhrase: '', businessTag: '' });
const complain = vi.spyOn(console, 'error');

beforeEach(() => {
  promise([]);
  complain.mockReset();
  vi.stubGlobal('window', {});
  vi.stubGlobal('fetch', async () => Response.json([]));
});

afterAll(() => {
  complain.mockRestore();
  vi.unstubAllGlobals();
});

/** Requests a page as a screen does. */
async function ask(page: number): Promise<void> {
  await new QueryClient().fetchQuery(queryOf(endpoint, { body: bodyOf(page) }));
}

it('reports a screen whose first request differs from the one that its route prefetched', async () => {
  promise([{ endpoint, body: bodyOf(1) }]);
  await ask(2);
  await ask(2);
  expect(complain.mock.calls).toEqual([[expect.stringMatching(/^prefetched .*"page":1.*, asked .*"page":2/)]]);
});

it('accepts a screen that first requests what its route prefetched, even after the reply was dropped', async () => {
  promise([{ endpoint, body: bodyOf(1) }]);
  forgetPrefetched();
  await ask(1);
  await ask(2);
  expect(complain).not.toHaveBeenCalled();
});

it('expects nothing of the next screen', async () => {
  promise([{ endpoint, body: bodyOf(1) }]);
  promise([]);
  await ask(2);
  expect(complain).not.toHaveBeenCalled();
});

it('expects no request for what was prefetched for a link', async () => {
  prefetch({ endpoint, body: bodyOf(1) });
  await ask(2);
  expect(complain).not.toHaveBeenCalled();
});
