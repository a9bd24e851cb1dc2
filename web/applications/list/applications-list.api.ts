import { keepPreviousData } from '@tanstack/react-query';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { type ApplicationsAsked, bodyOf } from './asked.ts';

export const applicationsKey = ['applications'] as const;

/** A page of applications: a client's own, everybody's for staff. */
export function useApplications(asked: ApplicationsAsked) {
  return useCall(invoiceEndpoints.listInvoices, {
    key: [...applicationsKey, asked],
    body: bodyOf(asked),
    placeholderData: keepPreviousData,
  });
}
