import { PasswordInput, Text, TextInput } from '@mantine/core';
import type { FormRulesRecord } from '@mantine/form';
import { type Flag, flagKinds } from '#contract/desk/schema.ts';
import {
  type ApplicationPayout,
  type PreparedPayout,
  REFERENCE_MISSING,
  sayPayoutKind,
} from '#contract/payouts/schema.ts';
import { sayParts } from '#contract/payouts/wallet-limits.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { notices } from '#web/notices.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { PayeeFacts } from './payee-facts.tsx';
import { PaymentFields } from './payment-fields.tsx';
import { type PayoutAct, useHasSecondFactor, usePayoutAct } from './payouts.api.ts';

interface DialogProps {
  readonly tag: string;
  readonly currency: string;
  readonly onClose: () => void;
}

/** The form of an act; a try that was changed is another one. */
function useAct<Values extends object>(
  { tag, onClose }: DialogProps,
  initialValues: Values,
  done: string,
  actOf: (values: Values) => PayoutAct,
  validate: FormRulesRecord<Values> = {},
) {
  return useDialogForm({
    initialValues,
    validate,
    onClose,
    renewsKey: true,
    sender: usePayoutAct(tag),
    toSend: (values, idempotencyKey) => ({ act: actOf(values), idempotencyKey }),
    notice: () => notices.paymentRecorded(done),
  });
}

interface PrepareProps extends DialogProps {
  readonly payout: Pick<ApplicationPayout, 'isRest' | 'parts'>;
  readonly next: NonNullable<ApplicationPayout['next']>;
  readonly account: NonNullable<ApplicationPayout['account']>;
}

/** Prepares a payout; another officer releases it. */
export function PrepareDialog(props: PrepareProps) {
  const { next, account, currency, payout } = props;
  const { dialog } = useAct(props, {}, 'Payout prepared. Another officer releases it', () => ({
    act: 'prepare',
    body: { amount: next.amount, accountTag: account.tag },
  }));
  return (
    <ActionDialog title="Prepare this payout?" action="Prepare payout" {...dialog}>
      <Text>
        {sayPayoutKind(next.kind, payout.isRest)}: <Amount value={next.amount} currency={currency} /> to {account.label}
        . Another officer releases it.
      </Text>
      {payout.parts.length > 0 && <Text size="sm">{sayParts(payout.parts, currency)}.</Text>}
    </ActionDialog>
  );
}

interface ReleaseProps extends DialogProps {
  readonly payout: Pick<ApplicationPayout, 'parts'>;
  readonly prepared: PreparedPayout;
  /** The case's flags, acknowledged and open. */
  readonly flags: readonly Flag[];
}

/** Releases a payout that another officer prepared: its provider sends it, or the payment that was made is recorded. */
export function ReleaseDialog(props: ReleaseProps) {
  const { prepared, currency, flags, payout } = props;
  const hasCode = useHasSecondFactor().data;
  const today = kampalaDate(new Date());
  const { rail, isByFile } = prepared;
  const initial = { reference: '', date: rail === null ? today : '', code: '', password: '' };
  const seen = { payoutTag: prepared.tag, amount: prepared.amount, accountTag: prepared.account.tag };
  const { form, dialog } = useAct(
    props,
    initial,
    rail === null
      ? 'Payment to the client recorded'
      : `Payout released. ${isByFile ? 'It goes into the next batch file' : `${rail} sends it`}`,
    (values) => ({ act: 'release', body: { ...seen, ...values } }),
    // The server asks for it once it has seen the password.
    { reference: (value) => (rail === null && value.trim() === '' ? REFERENCE_MISSING : null) },
  );
  return (
    <ActionDialog title="Release this payout?" action="Release payout" {...dialog} blocked={hasCode === undefined}>
      <div>
        <Text fw={700} fz="xl">
          <Amount value={prepared.amount} currency={currency} />
        </Text>
        <Text>
          to <b>{prepared.payee?.business}</b>. Prepared by {prepared.preparedBy}.
        </Text>
      </div>
      {payout.parts.length > 0 && <Text size="sm">{sayParts(payout.parts, currency)}.</Text>}
      {prepared.payee !== null && <PayeeFacts payee={prepared.payee} />}
      {flags.map((flag) => (
        <FlagLine key={`${flag.kind} ${flag.other?.tag ?? flag.fact}`} flag={flag} />
      ))}
      {rail === null ? (
        <>
          <Text size="sm">Send it to this account, then enter the payment.</Text>
          <PaymentFields reference={form.getInputProps('reference')} date={form.getInputProps('date')} />
        </>
      ) : (
        <Text size="sm">
          {isByFile ? 'It goes into the next batch file for the bank.' : `${rail} sends it now.`} Do not send it
          yourself.
        </Text>
      )}
      {hasCode === true && (
        <TextInput
          label="Code"
          description="From your authenticator app. Each code works once"
          withAsterisk
          autoComplete="one-time-code"
          inputMode="text"
          maxLength={50}
          {...form.getInputProps('code')}
        />
      )}
      {hasCode === false && (
        <PasswordInput
          label="Your password"
          withAsterisk
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      )}
    </ActionDialog>
  );
}

/** A flag, and who answers for it. */
function FlagLine({ flag: { kind, fact, acknowledged } }: { readonly flag: Flag }) {
  return (
    <Text size="sm" {...(acknowledged === null ? { c: 'var(--mantine-color-error)' } : {})}>
      {fact ?? flagKinds[kind]}.{' '}
      {acknowledged === null ? 'Acknowledge it first.' : `${acknowledged.by.name}: ${acknowledged.reason}`}
    </Text>
  );
}

interface CancelProps extends DialogProps {
  readonly payoutTag: string;
  readonly amount: number;
  readonly to: string;
}

/** Cancels a payout that was prepared, or that waits for a file, with a reason. */
export function CancelDialog(props: CancelProps) {
  const { payoutTag, amount, to, currency } = props;
  const { form, dialog } = useAct(props, { reason: '' }, 'Payout cancelled', (values) => ({
    act: 'cancel',
    body: { ...values, payoutTag },
  }));
  return (
    <ActionDialog title="Cancel this payout?" action="Cancel this payout" color="red" {...dialog}>
      <Text>
        <Amount value={amount} currency={currency} /> to {to} is not sent. It can be prepared again.
      </Text>
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
