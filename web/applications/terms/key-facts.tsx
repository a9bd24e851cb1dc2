import { Stack, Text } from '@mantine/core';
import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { PAY_EARLY } from '#contract/payments/how-to-pay.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { Facts, Figure } from '#web/ui/text/figure.tsx';
import { applicationLabels, figureLabels } from './application-values.ts';
import classes from './key-facts.module.css';

/** The label of the button that agrees to the key facts. */
export const AGREE = 'Agree and submit';
/** The label of the button that accepts a counter-offer. */
export const ACCEPT = 'Agree and accept';

interface KeyFactsProps {
  readonly facts: KeyFactsReply;
  readonly invoiceNumber: string;
  /** Whether these are the key facts of a submission or of a counter-offer. */
  readonly of?: 'submission' | 'offer';
}

/**
 * One page with what a client must know before they submit: what they get and pay back, what it costs, what they
 * declare.
 */
export function KeyFacts({ facts, invoiceNumber, of = 'submission' }: KeyFactsProps) {
  const { currency, amountAppliedFor, feesCharged, amountReceived, yearlyRatePercent, paidTo } = facts;
  return (
    <Stack gap="md">
      <Figure
        label="You receive"
        hero
        hint={`${wire(amountAppliedFor)} −\u00a0fee\u00a0${wire(feesCharged)}`}
      >{`${currency} ${wire(amountReceived)}`}</Figure>
      {paidTo === undefined ? (
        <Text size="sm">
          {of === 'submission' ? 'You tell us where to send it after you submit.' : 'Tell us where to send it.'}
        </Text>
      ) : (
        <Text>
          We send it to <b>{paidTo}</b>.
        </Text>
      )}
      <PayBack facts={facts} />
      <Facts
        facts={[
          { label: 'Invoice number', value: invoiceNumber, isText: true },
          {
            label: applicationLabels.amountAppliedFor,
            value: <Amount value={amountAppliedFor} currency={currency} />,
          },
          { label: figureLabels.feesCharged, value: <Amount value={feesCharged} currency={currency} /> },
          { label: 'Fee as % of the cash', value: percent(facts.feePercentOfCash) },
          {
            label: 'Yearly rate of the fee',
            value: yearlyRatePercent === undefined ? null : percent(yearlyRatePercent),
          },
          { label: applicationLabels.financingPeriodId, value: `${facts.tenorDays} days` },
        ]}
      />
      <div>
        <Text fw={600}>What you declare</Text>
        <Text size="sm" mb="xs">
          With ‘{of === 'offer' ? ACCEPT : AGREE}’ you agree to these terms and declare:
        </Text>
        <blockquote className={classes.declaration}>{facts.declaration}</blockquote>
        {facts.texts !== undefined && (
          <Text size="sm" mt="xs">
            These texts apply: {facts.texts}.
          </Text>
        )}
      </div>
      <Text size="sm" c="dimmed">
        {of === 'submission' && 'You cannot change the invoice, the application or its documents after you submit. '}
        You can withdraw it until we prepare your payment.
      </Text>
    </Stack>
  );
}

/** The repayment: amount, date, who pays it, and what happens if it is late. */
function PayBack({ facts }: Pick<KeyFactsProps, 'facts'>) {
  const { currency, amountAppliedFor, paymentExpectedOn, paidBackBy, ifLate, buyerPays } = facts;
  const { payTo = [], repaymentReference } = facts;
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
      {buyerPays !== undefined && <p>{buyerPays}</p>}
      {ifLate !== undefined && (
        <p>
          <strong>If it is late:</strong> {ifLate}
        </p>
      )}
      {repaymentReference !== undefined && (
        <p>
          <strong>How to pay:</strong> {payTo.length > 0 && `to ${payTo.join(', or ')}, `}
          with the reference <span className={classes.unbroken}>{sayRepaymentReference(repaymentReference)}</span>.{' '}
          {PAY_EARLY}
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
