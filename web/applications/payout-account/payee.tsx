import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
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
import { paths } from '#web/paths.ts';
import { useSend } from '#web/platform/api/use-change.ts';
import { Link } from '#web/platform/router/router.tsx';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { CashLine } from './cash-line.tsx';
import { usePayee } from './payee.api.ts';

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
}

/** The chosen payout account, or the choice of one. */
export function PayeeChoice({ tag, payout }: ShownProps) {
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
  if (account === null && options.length === 0) return <AskForAccount waitHours={waitHours} />;
  if (account === null || isChanging)
    return <Choice tag={tag} options={options} chosen={account} onDone={() => setChanging(false)} />;
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

function AskForAccount({ waitHours }: Pick<ApplicationPayout, 'waitHours'>) {
  return (
    <>
      <Text fw={600}>Tell us where to send it</Text>
      <Text size="sm">
        Add a payout account now. We'll call you to check it, and can pay to it {waitHours} hours after that.
      </Text>
      <Button component={Link} to={paths.payoutAccounts}>
        Add payout account
      </Button>
    </>
  );
}

/** Why nothing is paid to an account yet, and until when. */
function AccountWait({
  account: { state, usableFrom },
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
      return <Text size="sm">We'll call you to check it, and can pay to it {waitHours} hours after that.</Text>;
    case 'frozen':
    case 'replaced':
      return (
        <Text size="sm" c="var(--mantine-color-error)">
          {accountStates[state]}: we pay nothing to it. Choose another account.
        </Text>
      );
  }
}

interface ChoiceProps {
  readonly tag: string;
  readonly options: readonly ShownAccount[];
  readonly chosen: ShownAccount | null;
  readonly onDone: () => void;
}

function Choice({ tag, options, chosen, onDone }: ChoiceProps) {
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
        <Button size="sm" loading={choosing.isPending} onClick={choose}>
          Use this account
        </Button>
        {chosen !== null && (
          <Button variant="default" size="sm" onClick={onDone}>
            Keep it
          </Button>
        )}
        <Button component={Link} to={paths.payoutAccounts} variant="subtle" size="sm">
          Payout accounts
        </Button>
      </Group>
    </>
  );
}
