import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Status } from '#contract/applications/lifecycle.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import type { InvoiceRow } from '#contract/invoices/schema.ts';
import type { InvoiceSort } from '#contract/invoices/sorts.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';

export const applicationsKey = ['applications'] as const;

interface ApplicationsAsked {
  readonly page: number;
  readonly searchPhrase: string;
  readonly status: Status | null;
  readonly withoutDrafts: boolean;
  readonly sort: InvoiceSort | null;
  /** The session's business, empty for staff (specification, section 6). */
  readonly businessTag: string;
}

/** A page of applications: a client's own, everybody's for staff. */
export function useApplications(asked: ApplicationsAsked) {
  return useQuery<InvoiceRow[]>({
    queryKey: [...applicationsKey, asked],
    queryFn: (context) =>
      callApi(
        invoiceEndpoints.listInvoices,
        { ...asked, status: asked.status ?? '', sort: asked.sort ?? '' },
        queryCall(context),
      ),
    placeholderData: keepPreviousData,
  });
}
