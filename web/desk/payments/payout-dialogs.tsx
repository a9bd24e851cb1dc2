import { PasswordInput, Text, TextInput } from '@mantine/core';
import { type Flag, flagKinds } from '#contract/desk/schema.ts';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import {
  type ApplicationPayout,
  type PreparedPayout,
  REFERENCE_MISSING,
  sayPayoutKind,
} from '#contract/payouts/schema.ts';
import { sayParts } from '#contract/payouts/wallet-limits.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { type MoneyDialogProps, useRecording } from '#web/desk/use-recording.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { PayeeFacts } from './payee-facts.tsx';
import { PaymentFields } from './payment-fields.tsx';

interface PrepareProps extends MoneyDialogProps {
  readonly payout: Pick<ApplicationPayout, 'isRest' | 'parts'>;
  readonly next: NonNullable<ApplicationPayout['next']>;
  readonly account: NonNullable<ApplicationPayout['account']>;
}

/** Prepares a payout; another officer releases it. */
export function PrepareDialog({ tag, next, account, currency, payout, onClose }: PrepareProps) {
  const { dialog } = useRecording({
    endpoint: payoutEndpoints.preparePayout,
    tag,
    initialValues: {},
    renewsKey: true,
    onClose,
    bodyOf: () => ({ amount: next.amount, accountTag: account.tag }),
    done: 'Payout prepared. Another officer releases it',
  });
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

interface ReleaseProps extends MoneyDialogProps {
  readonly payout: Pick<ApplicationPayout, 'parts'>;
  readonly prepared: PreparedPayout;
  /** The case's flags, acknowledged and open. */
  readonly flags: readonly Flag[];
}

/** Releases a payout that another officer prepared: its provider sends it, or the officer records the payment made. */
export function ReleaseDialog({ tag, prepared, currency, flags, payout, onClose }: ReleaseProps) {
  const hasCode = useCall(ownAccountEndpoints.secondFactor, {
    select: ({ setUpAt }) => setUpAt !== null,
  }).data;
  const today = kampalaDate(new Date());
  const { rail, isByFile } = prepared;
  const seen = { payoutTag: prepared.tag, amount: prepared.amount, accountTag: prepared.account.tag };
  const { form, dialog } = useRecording({
    endpoint: payoutEndpoints.releasePayout,
    tag,
    renewsKey: true,
    onClose,
    initialValues: { reference: '', date: rail === null ? today : '', code: '', password: '' },
    // The server asks for the reference after it has checked the password.
    validate: { reference: (value) => (rail === null && value.trim() === '' ? REFERENCE_MISSING : null) },
    bodyOf: (values) => ({ ...seen, ...values }),
    done:
      rail === null
        ? 'Payment to the client recorded'
        : `Payout released. ${isByFile ? 'It goes into the next batch file' : `${rail} sends it`}`,
  });
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

/** A flag, and who acknowledged it. */
function FlagLine({ flag: { kind, fact, acknowledged } }: { readonly flag: Flag }) {
  return (
    <Text size="sm" {...(acknowledged === null ? { c: 'var(--mantine-color-error)' } : {})}>
      {fact ?? flagKinds[kind]}.{' '}
      {acknowledged === null ? 'Acknowledge it first.' : `${acknowledged.by.name}: ${acknowledged.reason}`}
    </Text>
  );
}

interface CancelProps extends MoneyDialogProps {
  readonly payoutTag: string;
  readonly amount: number;
  readonly to: string;
}

/** Cancels, with a reason, a payout that is prepared or waits for a file. */
export function CancelDialog({ tag, payoutTag, amount, to, currency, onClose }: CancelProps) {
  const { form, dialog } = useRecording({
    endpoint: payoutEndpoints.cancelPayout,
    tag,
    done: 'Payout cancelled',
    renewsKey: true,
    onClose,
    initialValues: { reason: '' },
    bodyOf: (values) => ({ ...values, payoutTag }),
  });
  return (
    <ActionDialog title="Cancel this payout?" action="Cancel this payout" color="red" {...dialog}>
      <Text>
        <Amount value={amount} currency={currency} /> to {to} is not sent. It can be prepared again.
      </Text>
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
