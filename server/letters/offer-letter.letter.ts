import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import type { Contact } from '#contract/contact.ts';
import { fromMinor } from '#contract/money.ts';
import { PAY_EARLY, sayHowToPay } from '#contract/payments/how-to-pay.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { sayDate } from '#contract/time/calendar.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { AcceptedExtension } from '#server/offers/extensions.queries.ts';
import type { Letter } from '#server/pdf/letter.ts';
import { extendedFacts, type Names, pricedFacts } from './key-facts.letter.ts';
import { sayInstant, sayMoney } from './wording.ts';

/** The time of the approval, and the accounts for repayments. */
interface Offered {
  readonly decidedAt: Date;
  readonly accounts: readonly string[];
  readonly support: Contact;
  readonly extension: AcceptedExtension | undefined;
}

/** The offer to a client whose application was approved, with the accepted key facts. */
export function offerLetter(
  invoice: InvoiceRecord,
  names: Names,
  facts: KeyFactsReply,
  { decidedAt, accounts, support, extension }: Offered,
): Letter {
  const { currency, tenorDays } = facts;
  // If more time moved the date, it is shown at the top instead.
  const dueOn = extension === undefined ? invoice.case.dueOn : null;
  const howToPay = { accounts, reference: invoice.repaymentReference };
  return {
    title: 'Offer letter',
    subtitle: `To ${names.client}, on invoice ${invoice.invoiceNumber}`,
    at: extension?.at ?? decidedAt,
    blocks: [
      ...extendedFacts(extension),
      {
        text:
          `${PRODUCT_NAME} has approved your application to finance this invoice. We pay you the cash below. ` +
          'The fee is paid upfront, out of the amount applied for. We charge nothing else' +
          (invoice.lateChargeBps === 0 ? '.' : ' if you pay back on time.'),
      },
      ...pricedFacts(invoice, names, facts, dueOn),
      { heading: 'How you pay it back' },
      {
        text:
          `Pay back ${toPayBack(invoice) ?? `${sayMoney(currency, facts.amountAppliedFor)} within ${tenorDays} days of the day we pay you`}. ` +
          `${names.buyer} or you can pay it, in one payment or in parts. What is paid above that is yours: we send it to you.`,
      },
      { text: `${sayHowToPay(howToPay, support)} ${PAY_EARLY}` },
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

/** The outstanding part of a paid out advance, and its due date; undefined if nothing is outstanding. */
function toPayBack({ currencyCode, case: { outstanding, dueOn } }: InvoiceRecord): string | undefined {
  if (outstanding === null || outstanding === 0 || dueOn === null) return undefined;
  return `${sayMoney(currencyCode, fromMinor(outstanding))} by ${sayDate(dueOn)}`;
}
