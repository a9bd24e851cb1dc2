import { Anchor, Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { sayEarliest } from '#contract/payouts/outlook-officer-words.ts';
import { type BoardRow, type OfficerPayoutAccount, type PayoutStep, sayPayoutKind } from '#contract/payouts/schema.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import type { OpenTransfer } from '#contract/transfers/schema.ts';
import { TransferLine } from '#web/desk/payments/transfer-line.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { BusinessLink } from '#web/ui/text/business-link.tsx';
import { EndingDialog, EndingNotice, type EndingStep, isUnsent } from './ending-dialogs.tsx';
import classes from './payout-board.module.css';

/** The rows of the board of payouts. Each has the same columns. */

interface ColumnsProps {
  readonly amount: ReactNode;
  readonly client: ReactNode;
  readonly account: ReactNode;
  readonly next: ReactNode;
  readonly children?: ReactNode;
}

function Columns({ amount, client, account, next, children }: ColumnsProps) {
  return (
    <li>
      <div className={classes.amount}>{amount}</div>
      <div>{client}</div>
      <div>{account}</div>
      <div>{next}</div>
      <div className={classes.button}>{children}</div>
    </li>
  );
}

interface SubjectProps {
  readonly row: Pick<BoardRow, 'client' | 'clientTag' | 'applicationTag' | 'invoiceNumber'>;
  readonly children?: string | undefined;
}

/** The client as the link to its page, and the invoice as the link to its case. */
function Subject({ row: { client, clientTag, applicationTag, invoiceNumber }, children }: SubjectProps) {
  return (
    <>
      <Text fw={600}>
        <BusinessLink tag={clientTag}>{client}</BusinessLink>
      </Text>
      <Text size="sm">
        <Anchor component={Link} to={paths.deskCase(applicationTag)} inherit underline="always">
          {invoiceNumber}
        </Anchor>
        {children !== undefined && `, ${children}`}
      </Text>
    </>
  );
}

type OnCheck = (account: OfficerPayoutAccount) => void;

/** A payout that is due, prepared or waiting. */
export function PayoutRow({ row, onCheck }: { readonly row: BoardRow; readonly onCheck: OnCheck }) {
  const { amount, currency, kind, isRest, outlook, barred, toCheck } = row;
  const isFirst = kind === 'disbursement' && !isRest;
  return (
    <Columns
      amount={<Amount value={amount} currency={currency} />}
      client={<Subject row={row}>{isFirst ? undefined : sayPayoutKind(kind, isRest).toLowerCase()}</Subject>}
      account={outlook.account}
      next={<Next row={row} />}
    >
      {barred === null &&
        (toCheck === null ? <CaseButton row={row} /> : <CheckButton account={toCheck} onCheck={onCheck} />)}
    </Columns>
  );
}

/** The next step, or why there is none and from when. */
function Next({ row: { outlook, why, barred, prepared, toCheck } }: { readonly row: BoardRow }) {
  const now = new Date();
  const earliest = sayEarliest(outlook, now);
  return (
    <>
      <Text>
        {why ??
          (prepared === null
            ? 'Ready to prepare'
            : `Prepared by ${prepared.by}, ${sayMoment(new Date(prepared.at), now)}`)}
      </Text>
      {earliest !== null && <Text size="sm">{earliest}</Text>}
      {toCheck !== null && <Shared account={toCheck} />}
      {barred !== null && <Text size="sm">{barred}.</Text>}
    </>
  );
}

function Shared({ account: { sharedWith } }: { readonly account: OfficerPayoutAccount }) {
  if (sharedWith.length === 0) return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)">
      {sharedWith.join(', ')} has this account too
    </Text>
  );
}

/** The steps that an officer takes on the case. */
const onCase: Partial<Record<PayoutStep, string>> = {
  askClient: 'Ask client',
  clear: 'Open case',
  prepare: 'Prepare',
  release: 'Release',
};

function CaseButton({ row: { outlook, applicationTag, invoiceNumber } }: { readonly row: BoardRow }) {
  const step = onCase[outlook.step];
  if (step === undefined) return null;
  return (
    <Button
      component={Link}
      to={paths.deskCase(applicationTag)}
      variant="default"
      size="sm"
      aria-label={`${step}: ${invoiceNumber}`}
    >
      {step}
    </Button>
  );
}

interface AccountProps {
  readonly account: OfficerPayoutAccount;
  readonly onCheck: OnCheck;
}

function CheckButton({ account, onCheck }: AccountProps) {
  return (
    <Button variant="default" size="sm" aria-label={`Check: ${account.label}`} onClick={() => onCheck(account)}>
      Check
    </Button>
  );
}

/** An account to check before any cash is due. */
export function AccountRow({ account, onCheck }: AccountProps) {
  return (
    <Columns
      amount={<Text size="sm">No cash due yet</Text>}
      client={
        <Text fw={600}>
          <BusinessLink tag={account.businessTag}>{account.business}</BusinessLink>
        </Text>
      }
      account={account.label}
      next={
        <>
          <Text>Call about this account</Text>
          <Shared account={account} />
          {account.barred && (
            <Text size="sm">You added it, let in who did, or belong to this business. Another officer checks it.</Text>
          )}
        </>
      }
    >
      {!account.barred && <CheckButton account={account} onCheck={onCheck} />}
    </Columns>
  );
}

function sayLate({ file, direction, state, isHeld }: OpenTransfer): string {
  if (direction === 'in') return 'This is late. The client cannot use Pay now until it ends.';
  if (file === null && state === 'released')
    return isHeld ? 'Stop it here. Then prepare it again.' : 'This is late: we could not send it yet. You can stop it.';
  if (file === null) return 'This is late. Ask the provider. Do not pay it another way.';
  if (file.batch === null) return 'This is late. Make a batch file, or cancel the payout.';
  return 'This is late. Import the statement or ask the bank. Do not pay it another way.';
}

interface TransferProps {
  readonly transfer: OpenTransfer;
}

/** A payout on its way, or a late request to pay. */
export function TransferRow({ transfer }: TransferProps) {
  const { direction, amount, currency, to, isLate, mayEnd, ending } = transfer;
  const [dialog, setDialog] = useState<EndingStep>();
  return (
    <Columns
      amount={<Amount value={amount} currency={currency} />}
      client={<Subject row={transfer} />}
      account={direction === 'out' ? to : `from ${to}`}
      next={
        <>
          {direction === 'out' ? (
            <TransferLine transfer={transfer} currency={currency} isInColumns />
          ) : (
            <RequestLine transfer={transfer} />
          )}
          {isLate && (
            <Text size="sm" c="var(--mantine-color-error)">
              {sayLate(transfer)}
            </Text>
          )}
          {ending !== null && <EndingNotice transfer={transfer} ending={ending} onAnswer={setDialog} />}
        </>
      }
    >
      {mayEnd && ending === null && (
        <Button variant="default" size="sm" onClick={() => setDialog('propose')}>
          {isUnsent(transfer) ? 'Stop this payout' : 'Say how it ended'}
        </Button>
      )}
      {dialog !== undefined && <EndingDialog transfer={transfer} step={dialog} onClose={() => setDialog(undefined)} />}
    </Columns>
  );
}

/** A request to pay on a phone, whose provider is silent. */
function RequestLine({ transfer: { rail, to, releasedBy, said } }: TransferProps) {
  return (
    <>
      <Text>
        {rail} does not say whether {to} paid. We keep asking.
      </Text>
      {releasedBy !== null && <Text size="sm">Asked by {releasedBy}</Text>}
      {said !== null && (
        <Text size="sm" c="dimmed">
          The provider says: {said}
        </Text>
      )}
    </>
  );
}
