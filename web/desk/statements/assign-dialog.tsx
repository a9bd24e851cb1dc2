import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { type ComponentProps, useState } from 'react';
import { toMinor } from '#contract/money.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { type Payer, payers } from '#contract/payments/schema.ts';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { assignmentForm, type ClaimantReply, type ReceivedPayment } from '#contract/statements/schema.ts';
import { useRecording } from '#web/desk/use-recording.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { numberOf, type TypedAmount } from '#web/ui/forms/typed-amount.ts';
import { Columns } from '#web/ui/layout/columns.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';

interface AssignProps {
  readonly payment: ReceivedPayment;
  readonly onClose: () => void;
}

interface Part {
  readonly applicationTag: string;
  readonly amount: TypedAmount;
  readonly payer: Payer;
}

interface Values {
  readonly parts: Part[];
  readonly confirmed: boolean;
  readonly confirmedReturn: boolean;
}

const payerOptions = (['client', 'buyer'] as const).map((value) => ({ value, label: payers[value] }));

/** The parts into which the officer divides a payment. */
function useParts({ payment: { tag, left, proposals }, onClose }: AssignProps) {
  const only = proposals.length === 1 ? proposals : [];
  const [chosen, setChosen] = useState<readonly ClaimantReply[]>(only);
  const initialValues: Values = {
    parts: only.map((one) => partOf(one, left)),
    confirmed: false,
    confirmedReturn: false,
  };
  const acting = useRecording({
    endpoint: statementEndpoints.assignReceived,
    tag,
    initialValues,
    done: 'Assigned',
    onClose,
    validate: schemaResolver(assignmentForm),
    bodyOf: ({ parts, confirmed, confirmedReturn }) => {
      const more = { ...(confirmed && { confirmed }), ...(confirmedReturn && { confirmedReturn }) };
      return { parts: parts.map((part) => ({ ...part, amount: numberOf(part.amount), ...more })) };
    },
  });
  const { form } = acting;
  const rest = left - form.values.parts.reduce((sum, { amount }) => sum + numberOf(amount), 0);
  const add = (one: ClaimantReply): void => {
    setChosen([...chosen, one]);
    form.insertListItem('parts', partOf(one, Math.max(0, rest)));
  };
  const remove = (index: number): void => {
    setChosen(chosen.filter((_, place) => place !== index));
    form.removeListItem('parts', index);
  };
  return { ...acting, chosen, rest, add, remove };
}

/** Assigns money to one application, or splits it over several. */
export function AssignDialog({ payment, onClose }: AssignProps) {
  const { left, currency } = payment;
  const { form, dialog, code, chosen, rest, add, remove } = useParts({ payment, onClose });
  return (
    <ActionDialog title="Assign this payment" action="Assign" {...dialog} blocked={chosen.length === 0}>
      <Text>
        <Amount value={left} currency={currency} />
        {payment.payerName !== null && ` from ${payment.payerName}`}
        {payment.details !== '' && `: “${payment.details}”`}
      </Text>
      {chosen.map((one, index) => (
        <PartFields
          key={one.tag}
          one={one}
          amount={form.getInputProps(`parts.${index}.amount`)}
          payer={form.getInputProps(`parts.${index}.payer`)}
          onRemove={() => remove(index)}
        />
      ))}
      {chosen.length > 0 && isPositive(rest) && (
        <Text size="sm">
          <Amount value={roundedMoney(rest)} currency={currency} /> stays to be assigned.
        </Text>
      )}
      {code === 'RECEIPT_LARGE' && (
        <Checkbox label="The amount is right" {...form.getInputProps('confirmed', { type: 'checkbox' })} />
      )}
      {code === 'RETURNED_PAYOUT' && (
        <Checkbox label="Count it as a repayment" {...form.getInputProps('confirmedReturn', { type: 'checkbox' })} />
      )}
      <Finder payment={payment} chosen={chosen} onChoose={add} />
    </ActionDialog>
  );
}

interface PartProps {
  readonly one: ClaimantReply;
  readonly amount: Omit<ComponentProps<typeof MoneyInput>, 'label'>;
  readonly payer: ComponentProps<typeof Select>;
  readonly onRemove: () => void;
}

/** One application of a split, with its part of the amount. */
function PartFields({ one: { client, invoiceNumber, outstanding, currency }, amount, payer, onRemove }: PartProps) {
  return (
    <Stack gap="xxs" component="fieldset" bd="none" p={0} m={0}>
      <Text component="legend" size="sm" fw={600}>
        {client}, {invoiceNumber}
      </Text>
      <Columns gap="xs">
        <MoneyInput {...amount} label="Amount" required currency={currency} />
        <Select {...payer} label="Who paid" data={payerOptions} allowDeselect={false} />
      </Columns>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Owed: <Amount value={outstanding} currency={currency} />
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={onRemove}>
          Remove
        </Button>
      </Group>
    </Stack>
  );
}

function partOf({ tag: applicationTag, payer }: ClaimantReply, amount: number): Part {
  return { applicationTag, amount: roundedMoney(amount), payer };
}

/** Sums of the server's decimal amounts can be off in the last digit. */
function roundedMoney(amount: number): number {
  return Number(amount.toFixed(2));
}

function isPositive(amount: number): boolean {
  return (toMinor(roundedMoney(amount)) ?? 0) > 0;
}

interface FinderProps {
  readonly payment: ReceivedPayment;
  readonly chosen: readonly ClaimantReply[];
  readonly onChoose: (one: ClaimantReply) => void;
}

/** Proposed applications, and those found by what the officer types. */
function Finder({ payment, chosen, onChoose }: FinderProps) {
  const [typed, setTyped] = useState('');
  const phrase = typed.trim();
  const { data } = useCall(statementEndpoints.findClaimants, {
    params: { tag: payment.tag },
    query: { searchPhrase: phrase },
    enabled: phrase !== '',
  });
  const offered = (phrase === '' ? payment.proposals : (data ?? [])).filter(
    ({ tag }) => !chosen.some((one) => one.tag === tag),
  );
  return (
    <div>
      <TextInput
        label={chosen.length === 0 ? 'Find the application' : 'Split it with another application'}
        description="Repayment reference, invoice number or the client’s whole name"
        autoComplete="off"
        maxLength={100}
        data-autofocus={chosen.length === 0 || undefined}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div role="status">
        {phrase !== '' && data?.length === 0 && (
          <Text size="sm" mt="xs">
            Nothing that is paid out has this. Check the spelling, or call the payer.
          </Text>
        )}
      </div>
      {offered.length > 0 && (
        <ul className={ruled.list}>
          {offered.map((one) => (
            <FoundLine
              key={one.tag}
              one={one}
              onChoose={() => {
                onChoose(one);
                setTyped('');
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function FoundLine({ one, onChoose }: { readonly one: ClaimantReply; readonly onChoose: () => void }) {
  return (
    <li>
      <div>
        <Text size="sm" fw={600}>
          {one.client}, {one.invoiceNumber}
        </Text>
        <Text size="sm" c="dimmed">
          {sayRepaymentReference(one.reference)}, {one.buyer}, owed{' '}
          <Amount value={one.outstanding} currency={one.currency} />
        </Text>
      </div>
      <Button size="sm" variant="default" onClick={onChoose}>
        Choose
      </Button>
    </li>
  );
}
