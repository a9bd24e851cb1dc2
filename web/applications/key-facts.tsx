import { Stack, Text } from '@mantine/core';
import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { Amount } from '#web/ui/amount.tsx';
import { formatFormDate } from '#web/ui/dates.ts';
import { Fact, Facts, Figure } from '#web/ui/figure.tsx';
import { applicationLabels, figureLabels } from './application-values.ts';
import classes from './key-facts.module.css';

/** What the button that agrees to the key facts says. */
export const AGREE = 'Agree and submit';

interface KeyFactsProps {
  readonly facts: KeyFactsReply;
  readonly invoiceNumber: string;
}

/** One page of what a client must know before they submit: what they get, what it costs, when it is due, what they declare. */
export function KeyFacts({ facts, invoiceNumber }: KeyFactsProps) {
  const { currency, amountAppliedFor, feesCharged, amountReceived, feePercentOfCash, tenorDays } = facts;
  return (
    <Stack gap="md">
      <Figure
        label="You receive"
        hero
        hint={`${wire(amountAppliedFor)} −\u00a0fee\u00a0${wire(feesCharged)}`}
      >{`${currency} ${wire(amountReceived)}`}</Figure>
      <Facts>
        <Fact label="Invoice number" text>
          {invoiceNumber}
        </Fact>
        <Fact label={applicationLabels.amountAppliedFor}>
          <Amount value={amountAppliedFor} currency={currency} />
        </Fact>
        <Fact label={figureLabels.feesCharged}>
          <Amount value={feesCharged} currency={currency} />
        </Fact>
        <Fact label="Fee as a share of the cash you receive">{percent(feePercentOfCash)}</Fact>
        <Fact label={applicationLabels.financingPeriodId}>{tenorDays} days</Fact>
        <Fact label="Buyer’s payment expected, if we pay you today">{formatFormDate(facts.paymentExpectedOn)}</Fact>
      </Facts>
      <Prices facts={facts} />
      <div>
        <Text fw={600}>What you declare</Text>
        <Text size="sm" mb="xs">
          With ‘{AGREE}’ you agree to these terms and declare:
        </Text>
        <blockquote className={classes.declaration}>{facts.declaration}</blockquote>
      </div>
      <Text size="sm" c="dimmed">
        Once it is submitted, the invoice, the application and its documents can no longer be changed. You can withdraw
        it until we begin to review it.
      </Text>
    </Stack>
  );
}

/** What is wider than its frame is scrolled by keyboard too. */
const scrolling = { tabIndex: 0, role: 'group', 'aria-label': 'Prices, scrolls sideways' };

/** What each period would cost for the same amount; the chosen one is marked. */
function Prices({ facts: { prices, currency, amountAppliedFor, tenorDays } }: { readonly facts: KeyFactsReply }) {
  return (
    <div className={classes.frame} {...scrolling}>
      <table className={classes.prices}>
        <caption>
          What {currency} {wire(amountAppliedFor)} costs
        </caption>
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col">You receive</th>
            <th scope="col">Fee</th>
            <th scope="col">Of the cash</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => {
            const isChosen = price.tenorDays === tenorDays;
            return (
              <tr key={price.tenorDays} data-chosen={isChosen || undefined}>
                <th scope="row">
                  {price.tenorDays} days{isChosen && <small> (chosen)</small>}
                </th>
                <td>{wire(price.amountReceived)}</td>
                <td>{wire(price.feesCharged)}</td>
                <td>{percent(price.feePercentOfCash)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function wire(amount: number): string {
  return formatAmount(toMinor(amount));
}

function percent(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(1)}%`;
}
