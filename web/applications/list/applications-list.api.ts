import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import type { InvoiceRow } from '#contract/invoices/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';
import { type ApplicationsAsked, bodyOf } from './asked.ts';

export const applicationsKey = ['applications'] as const;

/** A page of applications: a client's own, everybody's for staff. */
export function useApplications(asked: ApplicationsAsked) {
  return useQuery<InvoiceRow[]>({
    queryKey: [...applicationsKey, asked],
    queryFn: (context) => callApi(invoiceEndpoints.listInvoices, bodyOf(asked), queryCall(context)),
    placeholderData: keepPreviousData,
  });
}
