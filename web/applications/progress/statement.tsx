import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Status } from '#contract/applications/lifecycle.ts';
import { counted } from '#contract/counts.ts';
import { deductions } from '#contract/journal/position.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { type LedgerEntry, type LedgerKind, type PaymentsReply, paymentMethods } from '#contract/payments/schema.ts';
import { sayDayAndMonth } from '#contract/time/calendar.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { Dotted } from '#web/ui/text/dotted.tsx';
import { Facts } from '#web/ui/text/figure.tsx';
import { useStatement } from './progress.api.ts';
import classes from './progress.module.css';

interface StatementProps {
  readonly tag: string;
  readonly status: Status;
  readonly currency: string;
  /** Shown below the amount to pay back. */
  readonly howToPay?: ReactNode;
  /** Shown below the amount we owe the client. */
  readonly extra?: ReactNode;
}

/** An application's payments for its client: what is due, what we owe them, and every payment. */
export function Statement({ tag, status, ...shown }: StatementProps) {
  const statement = useStatement(tag, status);
  return (
    <Loaded what="The payments" query={statement} height={140}>
      {(data) => <Payments payments={data} {...shown} />}
    </Loaded>
  );
}

type LoadedProps = Omit<StatementProps, 'tag' | 'status'> & { readonly payments: PaymentsReply };

function Payments({ payments, currency, howToPay, extra }: LoadedProps) {
  const { outstanding, received, dueOn, overdue, lost, lateCharge, entries } = payments;
  const { surplusOwed, restOwed, surplusPaid, deducted } = payments;
  const sumIfAny = (value: number) => (value > 0 ? <Amount value={value} currency={currency} /> : null);
  return (
    <Stack gap="sm">
      {outstanding > 0 && (
        <p className={classes.headline} data-alarm={overdue !== null || undefined}>
          {overdue === null ? 'Pay back ' : `Overdue ${counted(overdue.days, 'day')} · `}
          <span className={classes.money}>{`${currency} ${formatAmount(toMinor(outstanding))}`}</span>
          {overdue === null && dueOn !== null && ` by ${sayDayAndMonth(dueOn)}`}
        </p>
      )}
      {overdue !== null && (
        <Text>It was due {formatFormDate(dueOn)}. Pay it back now, or call us if your buyer is late.</Text>
      )}
      {overdue !== null && lateCharge !== null && lateCharge.perDay > 0 && (
        <Text>
          Each late day adds <Amount value={lateCharge.perDay} currency={currency} />, up to{' '}
          <Amount value={lateCharge.atMost} currency={currency} /> in all.
        </Text>
      )}
      {lost > 0 && (
        <Text>
          We wrote off <Amount value={lost} currency={currency} /> as not paid. You can still pay it.
        </Text>
      )}
      {howToPay}
      {surplusOwed > 0 && (
        <Text fw={600}>
          {whoPaid(entries)} paid <Amount value={surplusOwed} currency={currency} /> extra; we'll send it to you.
        </Text>
      )}
      {restOwed > 0 && (
        <Text fw={600}>
          <Amount value={restOwed} currency={currency} /> of your cash is still to come.
        </Text>
      )}
      {(surplusOwed > 0 || restOwed > 0) && extra}
      {deducted > 0 && outstanding > 0 && (
        <Text>
          Your buyer kept back <Amount value={deducted} currency={currency} />. You still pay back the whole amount
          above.
        </Text>
      )}
      {received > 0 && (
        <Facts
          facts={[
            { label: 'Paid back', value: sumIfAny(received) },
            { label: 'Still to pay back', value: sumIfAny(outstanding) },
            { label: 'Extra paid to you', value: sumIfAny(surplusPaid) },
          ]}
        />
      )}
      {entries.length > 0 && (
        <ul className={classes.entries} aria-label="Payments">
          {entries.map((entry) => (
            <Entry key={entry.tag} entry={entry} currency={currency} />
          ))}
          {lateCharge !== null && lateCharge.charged > 0 && (
            <li>
              <div>
                <span>Charge for paying late</span>
                <Text size="sm" c="dimmed">
                  {counted(lateCharge.days, 'day')}
                </Text>
              </div>
              <Amount value={lateCharge.charged} currency={currency} />
            </li>
          )}
        </ul>
      )}
    </Stack>
  );
}

function whoPaid(entries: readonly LedgerEntry[]): string {
  return entries.some(({ payer, reversed }) => payer === 'client' && !reversed) ? 'You or your buyer' : 'Your buyer';
}

function Entry({ entry, currency }: { readonly entry: LedgerEntry; readonly currency: string }) {
  const { amount, date, method, reference, reversed } = entry;
  return (
    <li>
      <div>
        <span data-reversed={reversed || undefined}>{entryText(entry)}</span>
        <Text size="sm" c="dimmed">
          <Dotted parts={[formatFormDate(date), method && paymentMethods[method], reference, reversed && 'reversed']} />
        </Text>
      </div>
      <span data-reversed={reversed || undefined}>
        {amount < 0 && '−'}
        <Amount value={Math.abs(amount)} currency={currency} />
      </span>
    </li>
  );
}

const names: Readonly<Record<LedgerKind, string>> = {
  disbursement: 'Paid out to you',
  surplus: 'Extra paid to you',
  receipt: 'Paid back by the buyer',
  deduction: 'Kept back by the buyer',
  extension: 'Fee for more time',
  writeOff: 'Written off',
};

function entryText({ kind, payer, deduction, reverses }: LedgerEntry): string {
  const kept = deduction === null ? '' : `: ${deductions[deduction].toLowerCase()}`;
  const text = payer === 'client' ? 'Paid back by you' : `${names[kind]}${kept}`;
  return reverses === null ? text : `Reversed: ${text.toLowerCase()}`;
}
