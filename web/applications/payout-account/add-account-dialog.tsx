import { PasswordInput, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { maskedNumber, type ProviderCode, providerCodes, providers, walletOf } from '#contract/payouts/account.ts';
import { payoutAccountForm, type ShownAccount } from '#contract/payouts/schema.ts';
import { notices } from '#web/notices.ts';
import { useSessionUser } from '#web/platform/session/session.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { useAddAccount } from './payout-accounts.api.ts';

const choices = providerCodes.map((value) => ({ value, label: providers[value].name }));

interface Values {
  readonly provider: ProviderCode;
  readonly number: string;
  readonly bankName: string;
  readonly holderName: string;
  readonly password: string;
}

interface AddAccountDialogProps {
  /** The accounts that the business has. */
  readonly accounts: readonly Pick<ShownAccount, 'label'>[];
  /** Hours between our check and the first possible payment to the account; undefined while unknown. */
  readonly waitHours: number | undefined;
  readonly onClose: () => void;
}

/** Adds a payout account, confirmed with the person's password. An officer checks it before anything is paid to it. */
export function AddAccountDialog({ accounts, waitHours, onClose }: AddAccountDialogProps) {
  const own = useOwnWallet(accounts);
  const initialValues: Values = { provider: 'mtn', number: '', holderName: '', ...own, bankName: '', password: '' };
  const { form, dialog } = useDialogForm({
    initialValues,
    onClose,
    renewsKey: true,
    validate: schemaResolver(payoutAccountForm),
    sender: useAddAccount(),
    toSend: (body, idempotencyKey) => ({ body, idempotencyKey }),
    notice: () => notices.payoutAccountAdded,
  });
  const { provider, number } = form.values;
  const isBank = provider === 'bank';
  const isOwn = own !== undefined && own.provider === provider && own.number === number;
  return (
    <ActionDialog title="Add payout account" action="Add payout account" {...dialog}>
      <Text size="sm">
        {isOwn && accounts.length === 0
          ? "We'll call you to check it. Usually we can pay to it at once."
          : `We'll call you to check it${waitHours === undefined ? '' : `, and can pay to it ${waitHours} hours after that`}.`}{' '}
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
        description={isOwn ? 'The number you signed up with' : undefined}
        withAsterisk
        inputMode="numeric"
        autoComplete="off"
        maxLength={40}
        data-autofocus={own === undefined || undefined}
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
        data-autofocus={own !== undefined || undefined}
        {...form.getInputProps('password')}
      />
    </ActionDialog>
  );
}

/** The phone number that the person signed up with, and their name, unless the business has that number already. */
function useOwnWallet(accounts: AddAccountDialogProps['accounts']) {
  const user = useSessionUser();
  const wallet = user === null ? undefined : walletOf(user.username);
  if (user === null || wallet === undefined) return undefined;
  if (accounts.some(({ label }) => label.includes(maskedNumber(wallet.number)))) return undefined;
  return { ...wallet, holderName: [user.firstName, user.lastName].filter(Boolean).join(' ') };
}
