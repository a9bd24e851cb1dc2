import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { providers } from '#contract/payouts/account.ts';
import type { OfficerPayoutAccount } from '#contract/payouts/schema.ts';
import { PayeeFacts } from '#web/desk/payments/payee-facts.tsx';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { useAskedHolder, useVerifyAccount } from './waiting.api.ts';

interface VerifyProps {
  readonly account: OfficerPayoutAccount;
  readonly onClose: () => void;
}

/** An officer says that they checked an account with its holder; it can be paid to after the wait. */
export function VerifyDialog({ account: listed, onClose }: VerifyProps) {
  const asked = useAskedHolder(listed.tag);
  const verifying = useVerifyAccount();
  const [refusal, setRefusal] = useState<string>();
  const form = useForm({ initialValues: { reason: '' } });
  const account = asked.data ?? { ...listed, holder: null };
  const { holder } = account;
  const difference = holder?.difference ?? undefined;
  const verify = ({ reason }: { reason: string }): void =>
    verifying.mutate(
      { tag: account.tag, reason, difference, idempotencyKey: uniqueKey() },
      {
        onSuccess: () => {
          notify(notices.paymentRecorded('Account checked'));
          onClose();
        },
        onError: (error) => {
          const field = error instanceof ApiFailure ? error.fields.reason : undefined;
          if (field !== undefined) form.setFieldError('reason', field);
          setRefusal(field === undefined ? error.message : undefined);
          // The provider may say something else by now.
          void asked.refetch();
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
      blocked={asked.isFetching || holder?.isInactive === true}
      refusal={refusal}
    >
      <Text size="sm">Call the business on a number that you know, and ask who holds this account.</Text>
      <PayeeFacts payee={account} />
      <Asking account={account} asked={asked} />
      {(account.sharedWith.length > 0 || difference !== undefined) && (
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

interface AskingProps {
  readonly account: OfficerPayoutAccount;
  readonly asked: ReturnType<typeof useAskedHolder>;
}

/** While a provider is asked, and where asking again may help. */
function Asking({ account: { provider, holder }, asked: { isFetching, isError, refetch } }: AskingProps) {
  if (isFetching)
    return (
      <Text size="sm" role="status">
        {provider === 'bank' ? 'One moment.' : `Asking ${providers[provider].name} who holds this number.`}
      </Text>
    );
  if (holder?.isInactive)
    return <Text size="sm">You cannot check this account. Ask the business for another one.</Text>;
  if (!isError && !holder?.difference) return null;
  return (
    <Group gap="xs">
      {isError && <Text size="sm">We could not ask who holds this number.</Text>}
      <Button variant="default" size="sm" onClick={() => void refetch()}>
        Ask again
      </Button>
    </Group>
  );
}
