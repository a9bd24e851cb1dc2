import { PasswordInput, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { type ProviderCode, providerCodes, providers } from '#contract/payouts/account.ts';
import { payoutAccountForm } from '#contract/payouts/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { useAddAccount } from './payout-accounts.api.ts';

const fields = ['provider', 'number', 'holderName', 'bankName', 'password'] as const;
const choices = providerCodes.map((value) => ({ value, label: providers[value].name }));

interface Values {
  readonly provider: ProviderCode;
  readonly number: string;
  readonly holderName: string;
  readonly bankName: string;
  readonly password: string;
}

interface AddAccountDialogProps {
  /** How long after our check it may be paid to; undefined until that is known. */
  readonly waitHours: number | undefined;
  readonly onClose: () => void;
}

/** Adds a payout account with the own password; an officer checks it before anything is paid to it. */
export function AddAccountDialog({ waitHours, onClose }: AddAccountDialogProps) {
  const adding = useAddAccount();
  const [refusal, setRefusal] = useState<string>();
  const form = useForm<Values>({
    initialValues: { provider: 'mtn', number: '', holderName: '', bankName: '', password: '' },
    validate: schemaResolver(payoutAccountForm),
  });
  const isBank = form.values.provider === 'bank';
  const refuse = (error: Error): void => {
    const known = error instanceof ApiFailure ? error.fields : {};
    form.setErrors({ ...known });
    focusFirstInvalid(form, fields, known);
    setRefusal(Object.keys(known).length > 0 ? undefined : error.message);
  };
  const add = (body: Values): void =>
    adding.mutate(
      { body, idempotencyKey: uniqueKey() },
      {
        onSuccess: () => {
          notify(notices.payoutAccountAdded);
          onClose();
        },
        onError: refuse,
      },
    );
  return (
    <ActionDialog
      title="Add payout account"
      action="Add payout account"
      onClose={onClose}
      onSubmit={form.onSubmit(add, (errors) => focusFirstInvalid(form, fields, errors))}
      sending={adding.isPending}
      refusal={refusal}
    >
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
