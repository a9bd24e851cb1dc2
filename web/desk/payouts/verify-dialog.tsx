import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OfficerPayoutAccount } from '#contract/payouts/schema.ts';
import { PayeeFacts } from '#web/desk/payments/payee-facts.tsx';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { useVerifyAccount } from './waiting.api.ts';

interface VerifyProps {
  readonly account: OfficerPayoutAccount;
  readonly onClose: () => void;
}

/** An officer says that they checked an account with its holder; it can be paid to after the wait. */
export function VerifyDialog({ account, onClose }: VerifyProps) {
  const verifying = useVerifyAccount();
  const [refusal, setRefusal] = useState<string>();
  const form = useForm({ initialValues: { reason: '' } });
  const verify = ({ reason }: { reason: string }): void =>
    verifying.mutate(
      { tag: account.tag, reason, idempotencyKey: uniqueKey() },
      {
        onSuccess: () => {
          notify(notices.paymentRecorded('Account checked'));
          onClose();
        },
        onError: (error) => {
          const field = error instanceof ApiFailure ? error.fields.reason : undefined;
          if (field !== undefined) form.setFieldError('reason', field);
          setRefusal(field === undefined ? error.message : undefined);
        },
      },
    );
  return (
    <ActionDialog
      title="Is this account right?"
      action="I checked this account"
      onClose={onClose}
      onSubmit={form.onSubmit(verify)}
      sending={verifying.isPending}
      refusal={refusal}
    >
      <Text size="sm">Call the business on a number that you know, and ask who holds this account.</Text>
      <PayeeFacts payee={account} />
      {account.sharedWith.length > 0 && (
        <TextInput
          label="Why this is right"
          withAsterisk
          maxLength={500}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      )}
    </ActionDialog>
  );
}
