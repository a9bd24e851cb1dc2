import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { providers } from '#contract/payouts/account.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import type { OfficerPayoutAccount } from '#contract/payouts/schema.ts';
import { PayeeFacts } from '#web/desk/payments/payee-facts.tsx';
import { notices } from '#web/notices.ts';
import { callApi } from '#web/platform/api/api.ts';
import { keyOf } from '#web/platform/api/query-key.ts';
import { useSend } from '#web/platform/api/use-change.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';

interface VerifyProps {
  readonly account: OfficerPayoutAccount;
  readonly onClose: () => void;
}

/** An officer confirms that they checked an account with its holder. It can be paid to after the waiting period. */
export function VerifyDialog({ account: listed, onClose }: VerifyProps) {
  const asked = useAskedHolder(listed.tag);
  const account = asked.data ?? { ...listed, holder: null };
  const { holder } = account;
  const difference = holder?.difference ?? undefined;
  const { form, dialog } = useDialogForm({
    initialValues: { reason: '' },
    onClose,
    renewsKey: true,
    sender: useSend(payoutEndpoints.verifyPayoutAccount, { tag: listed.tag }),
    toSend: ({ reason }, idempotencyKey) => ({ body: { reason, difference }, idempotencyKey }),
    notice: () => notices.paymentRecorded('Account checked'),
    // The provider's answer may have changed by now.
    onRefused: () => void asked.refetch(),
  });
  return (
    <ActionDialog
      title="Is this account right?"
      action="I checked this account"
      {...dialog}
      blocked={asked.isFetching || holder?.isInactive === true}
    >
      <Text size="sm">Call the business on a number that you know. Ask who holds this account.</Text>
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

/**
 * Asks an account's provider who holds it, when the account is opened. A person repeats it with `refetch`, which
 * extends the session.
 */
function useAskedHolder(tag: string) {
  return useQuery({
    queryKey: keyOf(payoutEndpoints.askHolder, { params: { tag } }),
    queryFn: ({ signal }) => callApi(payoutEndpoints.askHolder, undefined, { params: { tag }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

interface AskingProps {
  readonly account: OfficerPayoutAccount;
  readonly asked: ReturnType<typeof useAskedHolder>;
}

/** Shown while the provider is being asked, and if asking again may help. */
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
