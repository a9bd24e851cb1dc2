import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { invalidate, queryOf } from './use-call.ts';

const bodyOf = (page: number) => ({ page, searchPhrase: '', businessTag: '' });

it('stores each query of an endpoint under its own key, and reloads the queries of chosen endpoints', async () => {
  const client = new QueryClient();
  const documents = queryOf(documentEndpoints.listDocuments, { params: { tag: 'one' } }).queryKey;
  const pages = [1, 2].map((page) => queryOf(invoiceEndpoints.listInvoices, { body: bodyOf(page) }).queryKey);
  for (const key of [documents, ...pages]) client.setQueryData(key, key);
  const isInvalid = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  expect(pages.map((key) => client.getQueryData(key))).toEqual(pages);

  await invalidate(client, [invoiceEndpoints.listInvoices]);
  expect(pages.map(isInvalid)).toEqual([true, true]);
  expect(isInvalid(documents)).toBe(false);
});
