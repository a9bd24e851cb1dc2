import { PasswordInput, Text, TextInput } from '@mantine/core';
import { type FormRulesRecord, useForm } from '@mantine/form';
import { useState } from 'react';
import { type Flag, flagKinds } from '#contract/desk/schema.ts';
import {
  type ApplicationPayout,
  type PreparedPayout,
  REFERENCE_MISSING,
  sayPayoutKind,
} from '#contract/payouts/schema.ts';
import { sayParts } from '#contract/payouts/wallet-limits.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
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

/** Sends an act; what is refused at a field stands there, everything else below. A try that was changed is another one. */
function useAct<Values extends Record<string, unknown>>(
  { tag, onClose }: DialogProps,
  initialValues: Values,
  done: string,
  validate: FormRulesRecord<Values> = {},
) {
  const acting = usePayoutAct(tag);
  const [refusal, setRefusal] = useState<string>();
  const form = useForm<Values>({ initialValues, validate });
  const fields = Object.keys(initialValues);
  const refuse = (error: Error): void => {
    const known = error instanceof ApiFailure ? error.fields : {};
    form.setErrors({ ...known });
    focusFirstInvalid(form, fields, known);
    setRefusal(Object.keys(known).length > 0 ? undefined : error.message);
  };
  const send = (toAct: (values: Values) => PayoutAct) =>
    form.onSubmit(
      (values) =>
        acting.mutate(
          { act: toAct(values), idempotencyKey: uniqueKey() },
          {
            onSuccess: () => {
              notify(notices.paymentRecorded(done));
              onClose();
            },
            onError: refuse,
          },
        ),
      (errors) => focusFirstInvalid(form, fields, errors),
    );
  return { form, send, refusal, sending: acting.isPending };
}

interface PrepareProps extends DialogProps {
  readonly payout: Pick<ApplicationPayout, 'isRest' | 'parts'>;
  readonly next: NonNullable<ApplicationPayout['next']>;
  readonly account: NonNullable<ApplicationPayout['account']>;
}

/** Prepares a payout; another officer releases it. */
export function PrepareDialog(props: PrepareProps) {
  const { next, account, currency, payout, onClose } = props;
  const { send, refusal, sending } = useAct(props, {}, 'Payout prepared. Another officer releases it');
  const body = { amount: next.amount, accountTag: account.tag };
  return (
    <ActionDialog
      title="Prepare this payout?"
      action="Prepare payout"
      onClose={onClose}
      onSubmit={send(() => ({ act: 'prepare', body }))}
      sending={sending}
      refusal={refusal}
    >
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
  /** Of the case: what an officer answered for, and what is open still. */
  readonly flags: readonly Flag[];
}

/** Releases a payout that another officer prepared: its provider sends it, or the payment that was made is recorded. */
export function ReleaseDialog(props: ReleaseProps) {
  const { prepared, currency, flags, payout, onClose } = props;
  const hasCode = useHasSecondFactor().data;
  const today = kampalaDate(new Date());
  const { rail, isByFile } = prepared;
  const initial = { reference: '', date: rail === null ? today : '', code: '', password: '' };
  const { form, send, refusal, sending } = useAct(
    props,
    initial,
    rail === null
      ? 'Payment to the client recorded'
      : `Payout released. ${isByFile ? 'It goes into the next batch file' : `${rail} sends it`}`,
    // The server asks for it once it has seen the password.
    { reference: (value) => (rail === null && value.trim() === '' ? REFERENCE_MISSING : null) },
  );
  const seen = { payoutTag: prepared.tag, amount: prepared.amount, accountTag: prepared.account.tag };
  return (
    <ActionDialog
      title="Release this payout?"
      action="Release payout"
      onClose={onClose}
      onSubmit={send((values) => ({ act: 'release', body: { ...seen, ...values } }))}
      sending={sending}
      blocked={hasCode === undefined}
      refusal={refusal}
    >
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
  const { payoutTag, amount, to, currency, onClose } = props;
  const { form, send, refusal, sending } = useAct(props, { reason: '' }, 'Payout cancelled');
  return (
    <ActionDialog
      title="Cancel this payout?"
      action="Cancel this payout"
      color="red"
      onClose={onClose}
      onSubmit={send((values) => ({ act: 'cancel', body: { ...values, payoutTag } }))}
      sending={sending}
      refusal={refusal}
    >
      <Text>
        <Amount value={amount} currency={currency} /> to {to} is not sent. It can be prepared again.
      </Text>
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
