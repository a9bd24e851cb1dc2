import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import { failures } from '#contract/errors.ts';
import { formatAmount } from '#contract/money.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { type Payer, payers } from '#contract/payments/schema.ts';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import {
  assignmentForm,
  type ClaimantReply,
  type ReceivedPayment,
  type Suggestion,
} from '#contract/statements/schema.ts';
import { suggestionReasons } from '#contract/statements/suggestions.ts';
import { useRecording } from '#web/desk/use-recording.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { handFocusOn } from '#web/ui/focus/hand-focus-on.ts';
import { focusHeading } from '#web/ui/focus/heading-focus.ts';
import { Refusal } from '#web/ui/forms/form-modal.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { minorOf, numberOf, type TypedAmount } from '#web/ui/forms/typed-amount.ts';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { Columns } from '#web/ui/layout/columns.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';

interface AssignProps {
  readonly payment: ReceivedPayment;
  readonly onClose: () => void;
}

/** What unfolds below a payment: the suggested applications, a search for any other, and the form for the chosen one. */
export function AssignPanel({ payment, onClose }: AssignProps) {
  const [chosen, setChosen] = useState<ClaimantReply>();
  const { refusal, suggestions } = payment;
  if (refusal !== null) return <Text size="sm">{failures[refusal].msg}.</Text>;
  if (chosen !== undefined)
    return <AssignForm payment={payment} to={chosen} onBack={() => setChosen(undefined)} onClose={onClose} />;
  return (
    <>
      <Claimants found={suggestions} onChoose={setChosen} />
      <Finder payment={payment} onChoose={setChosen} />
    </>
  );
}

interface ClaimantsProps {
  readonly found: readonly (ClaimantReply & Partial<Pick<Suggestion, 'reasons'>>)[];
  readonly onChoose: (one: ClaimantReply) => void;
}

/** Applications that the payment may be assigned to; suggested ones with their reasons. */
function Claimants({ found, onChoose }: ClaimantsProps) {
  if (found.length === 0) return null;
  return (
    <ul className={ruled.list}>
      {found.map((one) => (
        <li key={one.tag}>
          <div>
            <Text fw={600}>{nameOf(one)}</Text>
            {one.reasons !== undefined && (
              <Text size="sm">{one.reasons.map((reason) => `${suggestionReasons[reason]}.`).join(' ')}</Text>
            )}
            <ClaimantFacts one={one} />
            <OtherBuyer one={one} />
          </div>
          <Button size="sm" variant="outline" aria-label={`Assign to ${nameOf(one)}`} onClick={() => onChoose(one)}>
            Assign
          </Button>
        </li>
      ))}
    </ul>
  );
}

function nameOf({ client, invoiceNumber }: ClaimantReply): string {
  return `${client}, ${invoiceNumber}`;
}

function ClaimantFacts({ one: { reference, buyer, outstanding, currency } }: { readonly one: ClaimantReply }) {
  return (
    <Text size="sm" c="dimmed">
      {sayRepaymentReference(reference)}, {buyer}, owed <Amount value={outstanding} currency={currency} />
    </Text>
  );
}

/** Warns that another buyer may have paid. */
function OtherBuyer({ one: { otherBuyer, buyer } }: { readonly one: ClaimantReply }) {
  if (otherBuyer === null) return null;
  return (
    <Alert role="note" color="yellow" variant="light" mt="xs" p="xs" title={`The payer looks like ${otherBuyer}`}>
      This invoice is to {buyer}. Ask the payer which invoice they paid.
    </Alert>
  );
}

/** Any other application, by what the officer types. */
function Finder({
  payment: { tag, suggestions },
  onChoose,
}: Pick<ClaimantsProps, 'onChoose'> & { readonly payment: ReceivedPayment }) {
  const [typed, setTyped] = useState('');
  const phrase = typed.trim();
  const { data = [], isSuccess } = useCall(statementEndpoints.findClaimants, {
    params: { tag },
    query: { searchPhrase: phrase },
    enabled: phrase !== '',
  });
  return (
    <div>
      <TextInput
        label={suggestions.length === 0 ? 'Find the application' : 'Find another application'}
        description="Repayment reference, invoice number or the client’s whole name"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div role="status">
        {phrase !== '' && isSuccess && data.length === 0 && (
          <Text size="sm" mt="xs">
            Nothing that is paid out has this. Check the spelling, or call the payer.
          </Text>
        )}
      </div>
      {phrase !== '' && <Claimants found={data} onChoose={onChoose} />}
    </div>
  );
}

interface Values {
  /** One part: what is left of the payment can be assigned to another application afterwards. */
  readonly parts: readonly [{ readonly applicationTag: string; readonly amount: TypedAmount; readonly payer: Payer }];
  readonly confirmed: boolean;
  readonly confirmedReturn: boolean;
}

const payerOptions = (['client', 'buyer'] as const).map((value) => ({ value, label: payers[value] }));
const toHeading = handFocusOn('section', focusHeading);
const toLine = handFocusOn('li', (line) => line.querySelector<HTMLElement>('[aria-expanded]')?.focus());

interface FormProps extends AssignProps {
  readonly to: ClaimantReply;
  readonly onBack: () => void;
}

/** Assigns the payment, or a part of it, to one application. */
function AssignForm({ payment: { tag, currency, left }, to, onBack, onClose }: FormProps) {
  const initialValues: Values = {
    parts: [{ applicationTag: to.tag, amount: to.amount, payer: to.payer }],
    confirmed: false,
    confirmedReturn: false,
  };
  const { form, dialog, code } = useRecording({
    endpoint: statementEndpoints.assignReceived,
    tag,
    initialValues,
    done: `Assigned to ${to.invoiceNumber}`,
    onClose,
    validate: schemaResolver(assignmentForm),
    bodyOf: ({ parts: [part], confirmed, confirmedReturn }) => {
      const more = { ...(confirmed && { confirmed }), ...(confirmedReturn && { confirmedReturn }) };
      return { parts: [{ ...part, amount: numberOf(part.amount), ...more }] };
    },
  });
  const minor = minorOf(form.values.parts[0].amount);
  const rest = (minorOf(left) ?? 0) - (minor ?? 0);
  return (
    <form noValidate onSubmit={dialog.onSubmit}>
      <Stack gap="sm" component="fieldset" bd="none" p={0} m={0} tabIndex={-1} ref={takeFocus}>
        <Text component="legend" fw={600}>
          {nameOf(to)}
        </Text>
        <div>
          <ClaimantFacts one={to} />
          <OtherBuyer one={to} />
        </div>
        <Columns gap="sm">
          <MoneyInput label="Amount" required currency={currency} {...form.getInputProps('parts.0.amount')} />
          <Select label="Who paid" data={payerOptions} allowDeselect={false} {...form.getInputProps('parts.0.payer')} />
        </Columns>
        {minor !== undefined && rest > 0 && (
          <Text size="sm">
            {currency} {formatAmount(rest)} stays left to assign.
          </Text>
        )}
        {code === 'RECEIPT_LARGE' && (
          <Checkbox label="The amount is right" {...form.getInputProps('confirmed', { type: 'checkbox' })} />
        )}
        {code === 'RETURNED_PAYOUT' && (
          <Checkbox label="Count it as a repayment" {...form.getInputProps('confirmedReturn', { type: 'checkbox' })} />
        )}
        <Refusal>{dialog.refusal}</Refusal>
        <Group justify="flex-end" gap="xs">
          <Button size="sm" variant="default" disabled={dialog.sending} onClick={onBack} ref={toLine}>
            Back
          </Button>
          <WaitingButton size="sm" type="submit" busy={dialog.sending} ref={toHeading}>
            {minor === undefined ? 'Assign' : `Assign ${currency} ${formatAmount(minor)}`}
          </WaitingButton>
        </Group>
      </Stack>
    </form>
  );
}

/** The button that opened the form is gone. */
function takeFocus(form: HTMLElement | null): void {
  form?.focus({ preventScroll: true });
}
