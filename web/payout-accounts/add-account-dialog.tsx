import { PasswordInput, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { type ProviderCode, providerCodes, providers } from '#contract/payouts/account.ts';
import { payoutAccountForm } from '#contract/payouts/schema.ts';
import { notices } from '#web/notices.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { useAddAccount } from './payout-accounts.api.ts';

const choices = providerCodes.map((value) => ({ value, label: providers[value].name }));

const first = { provider: 'mtn' as ProviderCode, number: '', bankName: '', holderName: '', password: '' };

interface AddAccountDialogProps {
  /** Hours between our check and the first possible payment to the account; undefined while unknown. */
  readonly waitHours: number | undefined;
  readonly onClose: () => void;
}

/** Adds a payout account, confirmed with the person's password. An officer checks it before anything is paid to it. */
export function AddAccountDialog({ waitHours, onClose }: AddAccountDialogProps) {
  const { form, dialog } = useDialogForm({
    initialValues: first,
    onClose,
    renewsKey: true,
    validate: schemaResolver(payoutAccountForm),
    sender: useAddAccount(),
    toSend: (body, idempotencyKey) => ({ body, idempotencyKey }),
    notice: () => notices.payoutAccountAdded,
  });
  const isBank = form.values.provider === 'bank';
  return (
    <ActionDialog title="Add payout account" action="Add payout account" {...dialog}>
      <Text size="sm">
        We'll call you to check it{waitHours !== undefined && `, and can pay to it ${waitHours} hours after that`}.
        Everybody in your business gets a message.
      </Text>
      <Select
        label="Where the money goes"
        withAsterisk
        data={choices}
        allowDeselect={false}
        {...form.getInputProps('provider')}
      />
      <TextInput
        label={isBank ? 'Account number' : 'Phone number'}
        withAsterisk
        inputMode="numeric"
        autoComplete="off"
        maxLength={40}
        data-autofocus
        {...form.getInputProps('number')}
      />
      {isBank && <TextInput label="Bank" withAsterisk maxLength={100} {...form.getInputProps('bankName')} />}
      <TextInput
        label="Name on the account"
        withAsterisk
        autoComplete="off"
        maxLength={100}
        {...form.getInputProps('holderName')}
      />
      <PasswordInput
        label="Your password"
        withAsterisk
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
    </ActionDialog>
  );
}
