import { Stack, Text } from '@mantine/core';
import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { Fact, Facts, Figure } from '#web/ui/text/figure.tsx';
import { applicationLabels, figureLabels } from './application-values.ts';
import classes from './key-facts.module.css';

/** What the button that agrees to the key facts says. */
export const AGREE = 'Agree and submit';

interface KeyFactsProps {
  readonly facts: KeyFactsReply;
  readonly invoiceNumber: string;
}

/** One page of what a client must know before they submit: what they get and pay back, what it costs, what they declare. */
export function KeyFacts({ facts, invoiceNumber }: KeyFactsProps) {
  const { currency, amountAppliedFor, feesCharged, amountReceived, feePercentOfCash, tenorDays } = facts;
  return (
    <Stack gap="md">
      <Figure
        label="You receive"
        hero
        hint={`${wire(amountAppliedFor)} −\u00a0fee\u00a0${wire(feesCharged)}`}
      >{`${currency} ${wire(amountReceived)}`}</Figure>
      <PayBack facts={facts} />
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
        <Fact label="Fee as % of the cash">{percent(feePercentOfCash)}</Fact>
        <Fact label={applicationLabels.financingPeriodId}>{tenorDays} days</Fact>
      </Facts>
      <div>
        <Text fw={600}>What you declare</Text>
        <Text size="sm" mb="xs">
          With ‘{AGREE}’ you agree to these terms and declare:
        </Text>
        <blockquote className={classes.declaration}>{facts.declaration}</blockquote>
      </div>
      <Text size="sm" c="dimmed">
        You cannot change the invoice, the application or its documents after you submit. You can withdraw it until we
        begin to review it.
      </Text>
    </Stack>
  );
}

/** What must come back: amount, date, who pays it, and what happens if it is late. */
function PayBack({ facts }: Pick<KeyFactsProps, 'facts'>) {
  const { currency, amountAppliedFor, paymentExpectedOn, paidBackBy, ifLate } = facts;
  return (
    <section className={classes.payBack} aria-label="What you pay back">
      <p className={classes.sum}>
        Pay back{' '}
        <span className={classes.unbroken}>
          {currency} {wire(amountAppliedFor)}
        </span>{' '}
        <span className={classes.unbroken}>by {formatFormDate(paymentExpectedOn)}</span>
      </p>
      <p>This is the date if we pay you today. {paidBackBy}</p>
      {ifLate !== undefined && (
        <p>
          <strong>If it is late:</strong> {ifLate}
        </p>
      )}
    </section>
  );
}

function wire(amount: number): string {
  return formatAmount(toMinor(amount));
}

function percent(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(1)}%`;
}
