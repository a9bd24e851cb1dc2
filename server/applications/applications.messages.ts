import { formatAmount } from '#contract/money.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { Message } from '#server/messages/messages.service.ts';

/** What the client is told when an application is in. Amounts in minor units. */
export interface SubmittedApplication {
  readonly invoiceNumber: string;
  readonly currencyCode: string;
  readonly advance: number;
  readonly netProceeds: number;
}

/** Tells whoever submitted it that the application was received, and the two amounts they care about. */
export function submittedMessage(username: string, application: SubmittedApplication): Message {
  const { invoiceNumber, currencyCode, advance, netProceeds } = application;
  return {
    channel: username.includes('@') ? 'email' : 'sms',
    to: username,
    subject: `Your application for invoice ${invoiceNumber} was submitted`,
    body:
      `${PRODUCT_NAME}: your application for invoice ${invoiceNumber} was submitted. ` +
      `Applied for: ${currencyCode} ${formatAmount(advance)}. ` +
      `To be received: ${currencyCode} ${formatAmount(netProceeds)}. We will be in touch within hours.`,
  };
}
