import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import { formatAmount, toMinor } from '#contract/money.ts';
import { providers } from '#contract/payouts/account.ts';
import { requestEndpoints } from '#contract/requests-to-pay/endpoints.ts';
import { type PayNowReply, requestForm } from '#contract/requests-to-pay/schema.ts';
import { HowToPay } from '#web/applications/progress/how-to-pay.tsx';
import { useRefresh } from '#web/applications/progress/progress.api.ts';
import { useSend } from '#web/platform/api/use-change.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { FormModal } from '#web/ui/forms/form-modal.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { numberOf, type TypedAmount } from '#web/ui/forms/typed-amount.ts';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { isAsked, usePayNow } from './pay-now.api.ts';
import { sayPay } from './pay-now-button.tsx';
import { RequestState } from './request-state.tsx';

interface PayNowDialogProps {
  readonly tag: string;
  readonly onClose: () => void;
}

/** Pays back by phone: amount and phone first, then the state of the request. */
export function PayNowDialog({ tag, onClose: close }: PayNowDialogProps) {
  const refresh = useRefresh();
  const onClose = (): void => {
    close();
    void refresh();
  };
  const payNow = usePayNow(tag);
  const [asked, setAsked] = useState<string>();
  const { data } = payNow;
  const newest = data?.requests[0];
  // Also follows a request that was sent before this dialog opened.
  if (newest !== undefined && isAsked(newest) && newest.tag !== asked) setAsked(newest.tag);
  const isFollowed = newest !== undefined && (isAsked(newest) || newest.tag === asked);
  if (data !== undefined && !isFollowed && data.providers.length > 0)
    return <AskForm tag={tag} payNow={data} onAsked={setAsked} onClose={onClose} />;
  const hasFailed = isFollowed && newest.state === 'failed';
  return (
    <FormModal opened onClose={onClose} title="Pay now">
      <Stack>
        <Loaded what="The amount" query={payNow} height={120}>
          {(reply) =>
            isFollowed ? (
              <>
                <RequestState request={newest} takesFocus />
                {newest.state === 'succeeded' && <Text>{sayRest(reply.currency, reply.most)}</Text>}
              </>
            ) : reply.most > 0 ? (
              <WithReference payNow={reply} />
            ) : (
              <Text>You have nothing to pay back now.</Text>
            )
          }
        </Loaded>
        <Group justify="flex-end">
          <Button variant={hasFailed ? 'default' : 'filled'} onClick={onClose}>
            Close
          </Button>
          {hasFailed && <Button onClick={() => setAsked(undefined)}>Ask again</Button>}
        </Group>
      </Stack>
    </FormModal>
  );
}

/** What the client owes after a payment. */
function sayRest(currency: string, most: number): string {
  return most > 0 ? `You still owe ${currency} ${formatAmount(toMinor(most))}.` : 'Nothing is left to pay.';
}

const OTHER = 'other';

interface AskFormProps extends PayNowDialogProps {
  readonly payNow: PayNowReply;
  readonly onAsked: (tag: string) => void;
}

interface Values {
  readonly amount: TypedAmount;
  readonly wallet: string;
  readonly number: string;
}

function AskForm({ tag, payNow, onAsked, onClose }: AskFormProps) {
  const { currency, most, wallets } = payNow;
  const [first] = wallets;
  const initialValues: Values = {
    amount: Math.min(most, usualMostOf(payNow, first?.id) ?? most),
    wallet: first?.id ?? OTHER,
    number: '',
  };
  const { form, dialog } = useDialogForm({
    initialValues,
    onClose,
    renewsKey: true,
    validate: schemaResolver(requestForm),
    sender: useSend(requestEndpoints.askToPay, { tag }, [requestEndpoints.payNow]),
    toSend: ({ amount, ...from }, idempotencyKey) => ({ body: { ...from, amount: numberOf(amount) }, idempotencyKey }),
    onDone: ({ data }) => onAsked(data.tag),
  });
  const usualMost = usualMostOf(payNow, form.values.wallet);
  return (
    <ActionDialog title="Pay now" action={sayPay(currency, numberOf(form.values.amount))} {...dialog}>
      <MoneyInput
        label="Amount"
        required
        currency={currency}
        description={`You owe ${currency} ${formatAmount(toMinor(most))}. You can pay a part.${
          usualMost !== null && usualMost < most
            ? ` Most phones can pay up to ${currency} ${formatAmount(toMinor(usualMost))} at once.`
            : ''
        }`}
        {...form.getInputProps('amount')}
      />
      {wallets.length > 0 && (
        <Select
          label="Pay from"
          withAsterisk
          data={[...wallets.map(({ id, label }) => ({ value: id, label })), { value: OTHER, label: 'Another number' }]}
          allowDeselect={false}
          {...form.getInputProps('wallet')}
        />
      )}
      {form.values.wallet === OTHER && (
        <TextInput
          label={`${payNow.providers.map(({ provider }) => providers[provider].name).join(' or ')} number`}
          withAsterisk
          inputMode="tel"
          autoComplete="tel"
          maxLength={40}
          {...form.getInputProps('number')}
        />
      )}
      <Text size="sm">The phone asks for the PIN. You have five minutes to approve it there.</Text>
      <WithReference payNow={payNow} />
    </ActionDialog>
  );
}

/** The way to pay without asking a phone: where to, how much, and with which reference. */
function WithReference({ payNow }: { readonly payNow: PayNowReply }) {
  const { invoiceNumber, currency, most, payTo, repaymentReference, providers: asked } = payNow;
  return (
    <div>
      <Text size="sm" fw={600} mb="xxs">
        {asked.length > 0 ? 'Or pay' : 'Pay'} {currency} {formatAmount(toMinor(most))} for {invoiceNumber} with the
        reference
      </Text>
      <HowToPay accounts={payTo} reference={repaymentReference} />
    </div>
  );
}

/**
 * The most that the wallet's provider usually takes at once; before a number is typed, the smallest of the providers'
 * limits.
 */
function usualMostOf({ wallets, providers: open }: PayNowReply, walletId: string | undefined): number | null {
  const provider = wallets.find(({ id }) => id === walletId)?.provider;
  const known = open.filter((one) => provider === undefined || one.provider === provider);
  const limits = known.flatMap(({ usualMost }) => usualMost ?? []);
  return limits.length === 0 ? null : Math.min(...limits);
}
