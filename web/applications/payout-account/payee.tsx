import { Button, type ButtonProps, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { accountStates } from '#contract/payouts/account.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import type { ApplicationPayout, ShownAccount } from '#contract/payouts/schema.ts';
import { sayParts } from '#contract/payouts/wallet-limits.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import { isUnfinished } from '#contract/transfers/asking.ts';
import { sayToClient } from '#contract/transfers/client-words.ts';
import type { ShownTransfer } from '#contract/transfers/schema.ts';
import { clearNoticesOnPhones } from '#web/notices.ts';
import { useSend } from '#web/platform/api/use-change.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { CashLine } from './cash-line.tsx';
import { usePayee } from './payee.api.ts';

/** Loads with the button that opens it, not with the screen. */
const AddAccountDialog = late(async () => (await import('./add-account-dialog.tsx')).AddAccountDialog, {
  meanwhile: null,
});

/** An application's payout account. Its client can choose it until a payout is prepared. */
export function Payee({ tag }: { readonly tag: string }) {
  const { data, isError } = usePayee(tag);
  if (data === undefined) return isError ? null : <Skeleton height={44} />;
  return (
    <section aria-label="Where we send it">
      <Stack gap="xs" align="flex-start">
        <PayeeChoice tag={tag} payout={data} />
      </Stack>
    </section>
  );
}

interface ShownProps {
  readonly tag: string;
  readonly payout: ApplicationPayout;
  /** The screen has a more important button. */
  readonly isQuiet?: boolean;
}

/** The chosen payout account, or the choice of one. */
export function PayeeChoice({ tag, payout, isQuiet = false }: ShownProps) {
  const { account, options, mayChoose, prepared, transfer, waitHours, outlook, walletTakes, parts, currency } = payout;
  const [isChanging, setChanging] = useState(false);
  if (transfer !== null && isUnfinished(transfer)) return <Paying transfer={transfer} currency={currency} />;
  if (prepared !== null)
    return (
      <>
        <Text>
          We're sending it to <b>{prepared.account.label}</b>.
        </Text>
        {parts.length > 0 && <Text size="sm">{sayParts(parts, currency)}.</Text>}
        <CashLine outlook={outlook} />
      </>
    );
  if (account === null && !mayChoose) return null;
  if (account === null && options.length === 0) return <AskForAccount payout={payout} isQuiet={isQuiet} />;
  if (account === null || isChanging)
    return <Choice tag={tag} payout={payout} isQuiet={isQuiet} onDone={() => setChanging(false)} />;
  return (
    <>
      {transfer?.state === 'failed' && <Text>{sayToClient(transfer)}</Text>}
      <Text>
        We send it to <b>{account.label}</b>.
      </Text>
      {walletTakes !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          This account takes up to <Amount value={walletTakes} currency={currency} />. Choose a bank account.
        </Text>
      )}
      {parts.length > 0 && <Text size="sm">{sayParts(parts, currency)}.</Text>}
      {outlook === null ? (
        <AccountWait account={account} waitHours={waitHours} />
      ) : (
        walletTakes === null && <CashLine outlook={outlook} />
      )}
      {mayChoose && (
        <Button variant="default" size="sm" onClick={() => setChanging(true)}>
          Change account
        </Button>
      )}
    </>
  );
}

/** The payout on its way, and its paid parts. */
function Paying({ transfer, currency }: { readonly transfer: ShownTransfer; readonly currency: string }) {
  return (
    <>
      {transfer.part?.paid.map(({ amount, providerReference }, index) => (
        <Text size="sm" key={providerReference}>
          Part {index + 1}: <Amount value={amount} currency={currency} /> sent, {transfer.rail} {providerReference}
        </Text>
      ))}
      <Text>
        <b>{sayToClient(transfer)}</b>
      </Text>
    </>
  );
}

interface AskProps {
  readonly payout: ApplicationPayout;
  readonly isQuiet: boolean;
}

function AskForAccount({ payout, isQuiet }: AskProps) {
  return (
    <>
      <Text fw={600}>Tell us where to send it</Text>
      <Text size="sm">Add a payout account now. We'll call you to check it.</Text>
      <AddAccount payout={payout} variant={isQuiet ? 'default' : 'filled'}>
        Add payout account
      </AddAccount>
    </>
  );
}

interface AddAccountProps extends Pick<ButtonProps, 'variant' | 'size'> {
  readonly payout: ApplicationPayout;
  readonly children: string;
}

/** Adds an account without leaving the application. */
function AddAccount({ payout: { options, waitHours }, ...button }: AddAccountProps) {
  const [isAdding, setAdding] = useState(false);
  function open(): void {
    clearNoticesOnPhones();
    setAdding(true);
  }
  return (
    <>
      <Button {...button} onClick={() => openLate(AddAccountDialog, open)} />
      {isAdding && <AddAccountDialog accounts={options} waitHours={waitHours} onClose={() => setAdding(false)} />}
    </>
  );
}

/** Why nothing is paid to an account yet, and until when. */
function AccountWait({
  account: { state, usableFrom, skipsWait },
  waitHours,
}: { readonly account: ShownAccount } & Pick<ApplicationPayout, 'waitHours'>) {
  switch (state) {
    case 'usable':
      return null;
    case 'waiting':
      return usableFrom === null ? null : (
        <Text size="sm">We can pay to it from {sayMoment(new Date(usableFrom), new Date())}.</Text>
      );
    case 'unverified':
      return (
        <Text size="sm">
          We'll call you to check it
          {skipsWait ? '. Usually we can pay to it at once.' : `, and can pay to it ${waitHours} hours after that.`}
        </Text>
      );
    case 'frozen':
    case 'replaced':
      return (
        <Text size="sm" c="var(--mantine-color-error)">
          {accountStates[state]}: we pay nothing to it. Choose another account.
        </Text>
      );
  }
}

interface ChoiceProps extends AskProps {
  readonly tag: string;
  readonly onDone: () => void;
}

function Choice({ tag, payout, isQuiet, onDone }: ChoiceProps) {
  const { options, account: chosen } = payout;
  // Also after a refusal, the screen shows the server's state.
  const choosing = useSend(payoutEndpoints.choosePayoutAccount, { tag }, [
    payoutEndpoints.applicationPayout,
    applicationEndpoints.attention,
  ]);
  const [picked, setPicked] = useState(chosen?.tag ?? null);
  const [missing, setMissing] = useState(false);
  const choose = (): void => {
    setMissing(picked === null);
    if (picked === null) return;
    choosing.mutate({ body: { accountTag: picked }, idempotencyKey: uniqueKey() }, { onSuccess: onDone });
  };
  return (
    <>
      <Select
        label={chosen === null ? 'Tell us where to send it' : 'Send it to'}
        placeholder="Choose an account"
        w="100%"
        maw={420}
        data={options.map(({ tag: value, label, state }) => ({
          value,
          label: state === 'usable' ? label : `${label} (${accountStates[state]})`,
        }))}
        value={picked}
        onChange={setPicked}
        allowDeselect={false}
        error={choosing.error?.message ?? (missing && picked === null ? 'Choose an account' : undefined)}
      />
      <Group gap="xs">
        <Button size="sm" variant={isQuiet ? 'default' : 'filled'} loading={choosing.isPending} onClick={choose}>
          Use this account
        </Button>
        {chosen !== null && (
          <Button variant="default" size="sm" onClick={onDone}>
            Keep it
          </Button>
        )}
        <AddAccount payout={payout} variant="subtle" size="sm">
          Add payout account
        </AddAccount>
      </Group>
    </>
  );
}
