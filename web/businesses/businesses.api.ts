import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import type { BusinessRow, businessForm } from '#contract/businesses/schema.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { peopleEndpoints } from '#contract/people/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { invalidate } from '#web/platform/api/use-call.ts';

interface SaveBusiness {
  /** The business as it was when the form opened; absent for a new one. */
  readonly business: Pick<BusinessRow, 'tag' | 'active'> | undefined;
  readonly form: z.input<typeof businessForm>;
}

/** Other endpoints whose replies name businesses: pages, users, applications, and requested buyers. */
const alsoNamed = [
  businessEndpoints.loadBusiness,
  peopleEndpoints.listPersons,
  invoiceEndpoints.listInvoices,
  onboardingEndpoints.listBuyerRequests,
  onboardingEndpoints.onboardingCounts,
];

/** Adds or edits a business. Every list and select that names businesses reloads when it is next shown. */
export function useSaveBusiness() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ business, form }: SaveBusiness) =>
      business === undefined
        ? callApi(businessEndpoints.addBusiness, form)
        : callApi(
            businessEndpoints.editBusiness,
            { ...form, seenActive: business.active },
            { params: { tag: business.tag } },
          ),
    onSuccess: async () => {
      void invalidate(client, alsoNamed);
      // A select from which the business was added shows it as chosen at once.
      await invalidate(client, [businessEndpoints.listBusinesses, businessEndpoints.clientProfiles]);
    },
    // Refused because somebody else was faster: list and page then show their change.
    onError: () => void invalidate(client, [businessEndpoints.listBusinesses, businessEndpoints.loadBusiness]),
  });
}
