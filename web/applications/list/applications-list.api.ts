import { keepPreviousData } from '@tanstack/react-query';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { keptForNextVisit } from '#web/platform/api/last-visit.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { type ApplicationsAsked, bodyOf } from './asked.ts';

/** A page of applications: a client's own, or everybody's or those of one business for staff. */
export function useApplications(asked: ApplicationsAsked) {
  const { page, searchPhrase, status, asBuyer } = asked;
  return useCall(invoiceEndpoints.listInvoices, {
    body: bodyOf(asked),
    placeholderData: keepPreviousData,
    ...(page === 1 && searchPhrase === '' && status === null && asBuyer === undefined && keptForNextVisit),
  });
}
