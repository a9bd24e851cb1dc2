import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import type { Block, Paper } from '#server/papers/paper.ts';
import { sayDate, sayInstant, sayMoney } from '#server/papers/wording.ts';

/** The names of the two businesses of an invoice. */
export interface Names {
  readonly client: string;
  readonly buyer: string;
}

type Facts = Omit<KeyFactsReply, 'accepted'>;

/** The page that the client accepted by submitting, word for word and figure for figure. */
export function keyFactsPaper(
  invoice: InvoiceRecord,
  names: Names,
  facts: Facts,
  accepted: NonNullable<KeyFactsReply['accepted']>,
): Paper {
  const at = new Date(accepted.at);
  return {
    title: 'Key facts',
    subtitle: `Invoice ${invoice.invoiceNumber} of ${names.client}`,
    at,
    blocks: [
      ...pricedFacts(invoice, names, facts),
      { heading: 'What other financing periods cost' },
      priceTable(facts),
      { heading: 'What was declared' },
      { text: facts.declaration },
      { heading: 'Accepted' },
      {
        facts: [
          ['When', sayInstant(at)],
          ['By', accepted.by],
          ['Version', facts.version],
        ],
      },
    ],
  };
}

/** What is paid, what it costs and when it is expected back. */
export function pricedFacts({ invoiceNumber, invoiceDate }: InvoiceRecord, names: Names, facts: Facts): Block[] {
  const { currency } = facts;
  return [
    { label: 'Cash received', amount: sayMoney(currency, facts.amountReceived) },
    {
      facts: [
        ['Invoice', `${invoiceNumber} of ${sayDate(invoiceDate)}, ${sayMoney(currency, facts.amount)}`],
        ['Buyer', names.buyer],
        ['Applied for', sayMoney(currency, facts.amountAppliedFor)],
        ['Fee', `${sayMoney(currency, facts.feesCharged)} (${facts.feeRatePercentage} % of the amount applied for)`],
        ['Fee in per cent of the cash received', percent(facts.feePercentOfCash)],
        ['Financing period', `${facts.tenorDays} days`],
        ["Buyer's payment expected", `${sayDate(facts.paymentExpectedOn)}, if paid out on the day of submission`],
      ],
    },
  ];
}

function percent(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(1)} %`;
}

function priceTable({ currency, prices }: Facts): Block {
  return {
    columns: ['Period', 'Fee', 'Cash received', 'Fee of cash'],
    rows: prices.map(({ tenorDays, feesCharged, amountReceived, feePercentOfCash }) => [
      `${tenorDays} days`,
      sayMoney(currency, feesCharged),
      sayMoney(currency, amountReceived),
      percent(feePercentOfCash),
    ]),
    widths: [0.16, 0.32, 0.32, 0.2],
    figures: [1, 2, 3],
  };
}
