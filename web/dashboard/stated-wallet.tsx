import { Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { type Activation, walletForm } from '#contract/onboarding/schema.ts';
import { providers } from '#contract/payouts/account.ts';
import { useSend } from '#web/platform/api/use-change.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { useActivation } from './activation.api.ts';

type Wallet = NonNullable<Activation['wallet']>;

/**
 * Lets a person who waits for activation say that cash goes to the number they signed up with; nothing for others, and
 * for numbers without mobile money.
 */
export function StatedWallet({ name }: { readonly name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useActivation();
  if (data?.waiting !== true || data.wallet === null) return null;
  const { wallet } = data;
  const number = `${providers[wallet.provider].name} ${wallet.number}`;
  return (
    <SectionCard title="Where we send your cash" gap="sm">
      <Text role="status">
        {wallet.holderName === null
          ? `To the number you signed up with, ${number}? Then nothing is left to do once we approve your invoice.`
          : `To ${number}, in the name of ${wallet.holderName}. We check it once your account is active.`}
      </Text>
      <Button variant="default" w="fit-content" onClick={() => setIsOpen(true)}>
        {wallet.holderName === null ? 'Add where we send your cash' : 'Change the name'}
      </Button>
      {isOpen && <WalletDialog number={number} wallet={wallet} name={name} onClose={() => setIsOpen(false)} />}
    </SectionCard>
  );
}

interface WalletDialogProps {
  readonly number: string;
  readonly wallet: Wallet;
  readonly name: string;
  readonly onClose: () => void;
}

function WalletDialog({ number, wallet, name, onClose }: WalletDialogProps) {
  const { form, dialog } = useDialogForm({
    initialValues: { holderName: wallet.holderName ?? name, password: '' },
    onClose,
    validate: schemaResolver(walletForm),
    sender: useSend(onboardingEndpoints.stateWallet, {}, [onboardingEndpoints.activation]),
    toSend: (body, idempotencyKey) => ({ body, idempotencyKey }),
  });
  return (
    <ActionDialog title="Where we send your cash" action={`Send it to ${number}`} {...dialog}>
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
        data-autofocus
        {...form.getInputProps('password')}
      />
    </ActionDialog>
  );
}
