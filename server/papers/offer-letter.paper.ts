import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import { type Names, pricedFacts } from '#server/papers/key-facts.paper.ts';
import type { Paper } from '#server/papers/paper.ts';
import { sayInstant, sayMoney } from '#server/papers/wording.ts';

/** What is offered to a client whose application was approved, on the key facts that they accepted. */
export function offerLetterPaper(invoice: InvoiceRecord, names: Names, facts: KeyFactsReply, decidedAt: Date): Paper {
  const { currency, tenorDays } = facts;
  return {
    title: 'Offer letter',
    subtitle: `To ${names.client}, on invoice ${invoice.invoiceNumber}`,
    at: decidedAt,
    blocks: [
      {
        text:
          `${PRODUCT_NAME} has approved your application to finance this invoice. We pay you the cash below, and the ` +
          'fee is paid upfront out of the amount applied for. Nothing else is charged.',
      },
      ...pricedFacts(invoice, names, facts),
      { heading: 'How it is paid back' },
      {
        text:
          `${sayMoney(currency, facts.amountAppliedFor)} is due back ${tenorDays} days after we have paid you, by ` +
          `${names.buyer} or by you, in one payment or in parts. What the buyer pays above that is yours, and we pay it to you.`,
      },
      { heading: 'What it rests on' },
      {
        facts: [
          ['Approved', sayInstant(decidedAt)],
          ['Key facts', `version ${facts.version}`],
          ...(facts.accepted === null
            ? []
            : [['Accepted', `${sayInstant(new Date(facts.accepted.at))}, by ${facts.accepted.by}`] as const]),
        ],
      },
      { text: facts.declaration, faint: true },
    ],
  };
}
