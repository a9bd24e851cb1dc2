import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { sayDate } from '#contract/time/calendar.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { AcceptedExtension } from '#server/offers/extensions.queries.ts';
import type { Block, Letter } from '#server/pdf/letter.ts';
import { sayInstant, sayMoney } from './wording.ts';

/** The names of the two businesses of an invoice. */
export interface Names {
  readonly client: string;
  readonly buyer: string;
}

type Facts = Omit<KeyFactsReply, 'accepted'>;

/** The key facts that the client accepted: of the advance, and of more time if they accepted that later. */
interface Accepted {
  readonly facts: Facts;
  readonly accepted: NonNullable<KeyFactsReply['accepted']>;
  readonly extension: AcceptedExtension | undefined;
}

/** The pages that the client accepted, word for word, newest first. */
export function keyFactsLetter(invoice: InvoiceRecord, names: Names, { facts, accepted, extension }: Accepted): Letter {
  const at = new Date(accepted.at);
  return {
    title: 'Key facts',
    subtitle: `Invoice ${invoice.invoiceNumber} of ${names.client}`,
    at: extension?.at ?? at,
    blocks: [
      ...extendedFacts(extension),
      ...pricedFacts(invoice, names, facts),
      { heading: 'What was declared' },
      { text: facts.declaration },
      { heading: 'Accepted' },
      acceptance(at, accepted.by, facts.version),
    ],
  };
}

/** The price of more time and the new due date, shown before the terms that were accepted first. */
export function extendedFacts(extension: AcceptedExtension | undefined): Block[] {
  if (extension === undefined) return [];
  const { facts, at, by, version } = extension;
  const { currency } = facts;
  return [
    { heading: 'More time to pay back' },
    { label: 'Pay back', amount: sayMoney(currency, facts.toPayBack) },
    {
      facts: [
        ['By', `${sayDate(facts.newDueOn)}, instead of ${sayDate(facts.dueOn)}`],
        ['Still to pay back before', sayMoney(currency, facts.outstanding)],
        ['Fee for more time', `${sayMoney(currency, facts.fee)} (${facts.feeRatePercentage} % of that)`],
        ['Yearly rate of the fee', percent(facts.yearlyRatePercent)],
        ['If it is late', facts.ifLate],
      ],
    },
    acceptance(at, by, version),
    { heading: 'What was accepted before' },
  ];
}

function acceptance(at: Date, by: string, version: string): Block {
  return {
    facts: [
      ['When', sayInstant(at)],
      ['By', by],
      ['Version', version],
    ],
  };
}

/** Amounts, cost and the repayment date: the due date if it is known, or else the expected date. */
export function pricedFacts(
  { invoiceNumber, invoiceDate }: InvoiceRecord,
  names: Names,
  facts: Facts,
  dueOn: string | null = null,
): Block[] {
  const { currency } = facts;
  return [
    { label: 'Cash received', amount: sayMoney(currency, facts.amountReceived) },
    {
      facts: [
        ['Invoice', `${invoiceNumber} of ${sayDate(invoiceDate)}, ${sayMoney(currency, facts.amount)}`],
        ['Buyer', names.buyer],
        ...(facts.paidTo === undefined ? [] : [['Cash paid to', facts.paidTo] as const]),
        ['Applied for', sayMoney(currency, facts.amountAppliedFor)],
        ['Fee', `${sayMoney(currency, facts.feesCharged)} (${facts.feeRatePercentage} % of the amount applied for)`],
        ['Fee in per cent of the cash received', percent(facts.feePercentOfCash)],
        ...(facts.yearlyRatePercent === undefined
          ? []
          : [['Yearly rate of the fee', percent(facts.yearlyRatePercent)] as const]),
        ['Financing period', `${facts.tenorDays} days`],
        [
          'Pay back',
          `${sayMoney(currency, facts.amountAppliedFor)} by ${sayDate(dueOn ?? facts.paymentExpectedOn)}` +
            (dueOn === null ? ', if paid out on the day of submission' : ''),
        ],
        ...(facts.paidBackBy === undefined ? [] : [['Who pays it back', facts.paidBackBy] as const]),
        ...(facts.buyerPays === undefined ? [] : [['What the buyer should pay', facts.buyerPays] as const]),
        ...(facts.ifLate === undefined ? [] : [['If it is late', facts.ifLate] as const]),
        ...(facts.payTo === undefined ? [] : facts.payTo.map((account) => ['Pay to', account] as const)),
        ...(facts.repaymentReference === undefined
          ? []
          : [['Repayment reference', sayRepaymentReference(facts.repaymentReference)] as const]),
        ...(facts.texts === undefined ? [] : [['Texts that apply', facts.texts] as const]),
      ],
    },
  ];
}

function percent(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(1)} %`;
}
