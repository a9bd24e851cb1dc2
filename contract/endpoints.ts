import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { browserReportEndpoints } from '#contract/browser-reports/endpoints.ts';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
import { figureEndpoints } from '#contract/figures/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { journalEndpoints } from '#contract/journal/endpoints.ts';
import { letterEndpoints } from '#contract/letters/endpoints.ts';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import { offerEndpoints } from '#contract/offers/endpoints.ts';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { peopleEndpoints } from '#contract/people/endpoints.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { requestEndpoints } from '#contract/requests-to-pay/endpoints.ts';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';

/** Every call by name: the source of OpenAPI, the permission matrix and the house rules. */
export const endpoints = {
  ...accountEndpoints,
  ...ownAccountEndpoints,
  ...peopleEndpoints,
  ...businessEndpoints,
  ...onboardingEndpoints,
  ...invoiceEndpoints,
  ...applicationEndpoints,
  ...letterEndpoints,
  ...deskEndpoints,
  ...offerEndpoints,
  ...paymentEndpoints,
  ...payoutEndpoints,
  ...transferEndpoints,
  ...requestEndpoints,
  ...collectionEndpoints,
  ...journalEndpoints,
  ...statementEndpoints,
  ...limitEndpoints,
  ...documentEndpoints,
  ...figureEndpoints,
  ...referenceEndpoints,
  ...browserReportEndpoints,
} as const;

export type EndpointName = keyof typeof endpoints;
