import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { declineReasons } from '#contract/applications/decline-reasons.ts';
import { requestBody } from '#contract/applications/progress.ts';
import { cancelApprovalBody, declineBody, handOverBody, sendBackBody } from '#contract/desk/schema.ts';
import { failures } from '#contract/errors.ts';
import { officersQuery } from '#web/desk/desk.api.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { type CaseAction, PLACED_BY_YOU } from './case-actions.ts';
import { RedFacts, useRedFacts } from './case-facts.tsx';
import { CounterOfferDialog } from './counter-offer-dialog.tsx';
import { type DialogProps, general } from './dialog-props.ts';

interface CaseDialogProps extends DialogProps {
  readonly action: CaseAction;
  /** The types of document that the client can be asked for; undefined while they load. */
  readonly documentTypes: readonly DocumentType[] | undefined;
}

export interface DocumentType {
  readonly typeId: number;
  readonly type: string;
}

/** The dialog of an action that asks first; null for the others. */
export function CaseDialog({ action, documentTypes, ...props }: CaseDialogProps) {
  switch (action) {
    case 'approve':
      return <ApproveDialog {...props} />;
    case 'requestInformation':
      return <RequestDialog {...props} documentTypes={documentTypes} />;
    case 'counterOffer':
      return <CounterOfferDialog {...props} />;
    case 'decline':
      return <DeclineDialog {...props} />;
    case 'sendBack':
      return <SendBackDialog {...props} />;
    case 'cancelApproval':
      return <CancelApprovalDialog {...props} />;
    case 'handOver':
      return <HandOverDialog {...props} />;
    default:
      return null;
  }
}

const FLAGS_FIRST = `${failures.FLAG_OPEN.msg}.`;

function ApproveDialog({ subject, readAt, onClose, onAct, sending, failure }: DialogProps) {
  const {
    client,
    invoiceNumber,
    buyer,
    amount,
    amountAppliedFor,
    amountReceived,
    currency,
    needsTwo,
    firstApprovalBy,
  } = subject;
  const red = useRedFacts(subject, readAt);
  const isStopped = red.some(({ kind }) => kind === 'flag');
  // Kept from when the dialog opened: a repeat after a lost answer is still the same approval.
  const [first] = useState(needsTwo && firstApprovalBy === null && subject.status !== 'Approved');
  const isApproved = subject.status === 'Approved';
  return (
    <ActionDialog
      title={
        isApproved && !subject.secondMissing
          ? 'Approve again?'
          : first
            ? 'First of two approvals'
            : firstApprovalBy === null && !isApproved
              ? 'Approve?'
              : 'Second approval'
      }
      action={first ? 'Give First Approval' : 'Approve'}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        onAct({ name: 'approve', isFirstOfTwo: first });
      }}
      sending={sending}
      blocked={isStopped}
      refusal={failure?.message}
    >
      <Text>
        <b>{client}</b> receives
      </Text>
      <Text fz="1.75rem" fw={700} lh={1.2}>
        <Amount value={amountReceived} currency={currency} />
      </Text>
      <Text>
        An advance of <Amount value={amountAppliedFor} currency={currency} /> on invoice {invoiceNumber} to {buyer},
        face value <Amount value={amount} currency={currency} />.
      </Text>
      {red.length > 0 && (
        <Alert color="red" variant="light" title={isStopped ? FLAGS_FIRST : 'Check before you approve'} p="sm">
          <RedFacts facts={red} />
          {isStopped && (
            <Text size="sm" mt="xs">
              Close this and use Acknowledge beside each flag.
            </Text>
          )}
        </Alert>
      )}
      <Text c="dimmed" size="sm">
        {isApproved
          ? subject.secondMissing
            ? 'This case takes two approvals. After yours, the client can be paid.'
            : 'An earlier approval no longer counts. After yours, the client can be paid.'
          : first
            ? `${subject.placedByYou ? PLACED_BY_YOU : 'With what this client owes and has applied for, this takes two officers.'} It stays in review until another officer approves it.`
            : firstApprovalBy === null
              ? 'We tell the client at once. Another officer then pays them.'
              : 'We tell the client at once. You can then pay them.'}
      </Text>
    </ActionDialog>
  );
}

function RequestDialog({ onClose, onAct, sending, failure, documentTypes }: Omit<CaseDialogProps, 'action'>) {
  const form = useForm({
    initialValues: { question: '', typeIds: [] as string[] },
    validate: schemaResolver(requestBody),
  });
  const send = form.onSubmit(
    (body) => onAct({ name: 'requestInformation', body }),
    (errors) => focusFirstInvalid(form, ['question'], errors),
  );
  return (
    <ActionDialog
      title="Request information"
      action="Ask the Client"
      onClose={onClose}
      onSubmit={send}
      sending={sending}
      refusal={general(failure, 'question', 'typeIds')}
    >
      <Checkbox.Group
        label="Documents to add or replace"
        {...form.getInputProps('typeIds')}
        error={failure?.fields.typeIds ?? form.errors.typeIds}
      >
        <Stack gap={8} mt={8}>
          {documentTypes?.map(({ typeId, type }) => (
            <Checkbox key={typeId} value={String(typeId)} label={type} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextArea
        label="Question"
        description="The client reads this. The clock is paused until they answer."
        withAsterisk
        maxLength={2000}
        data-autofocus
        {...form.getInputProps('question')}
        error={failure?.fields.question ?? form.errors.question}
      />
    </ActionDialog>
  );
}

const reasons = Object.entries(declineReasons).map(([value, label]) => ({ value, label }));

function DeclineDialog({ subject, onClose, onAct, sending, failure }: DialogProps) {
  const form = useForm({ initialValues: { reason: '', note: '' }, validate: schemaResolver(declineBody) });
  const send = form.onSubmit(
    (values) => onAct({ name: 'decline', body: declineBody.parse(values) }),
    (errors) => focusFirstInvalid(form, ['reason', 'note'], errors),
  );
  return (
    <ActionDialog
      title={`Decline ${subject.client}, invoice ${subject.invoiceNumber}?`}
      action="Decline"
      color="red"
      onClose={onClose}
      onSubmit={send}
      sending={sending}
      refusal={general(failure, 'reason', 'note')}
    >
      <Select
        label="Reason"
        withAsterisk
        data={reasons}
        allowDeselect={false}
        data-autofocus
        {...form.getInputProps('reason')}
        value={form.values.reason === '' ? null : form.values.reason}
        error={failure?.fields.reason ?? form.errors.reason}
      />
      <TextArea
        label="Note to the client"
        description="The client reads the reason and this note."
        withAsterisk
        maxLength={1000}
        {...form.getInputProps('note')}
        error={failure?.fields.note ?? form.errors.note}
      />
    </ActionDialog>
  );
}

function SendBackDialog({ subject, onClose, onAct, sending, failure }: DialogProps) {
  const form = useForm({ initialValues: { note: '' }, validate: schemaResolver(sendBackBody) });
  const send = form.onSubmit(
    (body) => onAct({ name: 'sendBack', body }),
    (errors) => focusFirstInvalid(form, ['note'], errors),
  );
  return (
    <ActionDialog
      title="Withdraw the first approval?"
      action="Withdraw First Approval"
      onClose={onClose}
      onSubmit={send}
      sending={sending}
      refusal={general(failure, 'note')}
    >
      <Text>The approval by {subject.firstApprovalBy?.name} no longer counts. The case goes back to review.</Text>
      <TextArea
        label="What to check again"
        description="Only officers read this."
        withAsterisk
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('note')}
        error={failure?.fields.note ?? form.errors.note}
      />
    </ActionDialog>
  );
}

function CancelApprovalDialog({ subject, onClose, onAct, sending, failure }: DialogProps) {
  const form = useForm({ initialValues: { reason: '' }, validate: schemaResolver(cancelApprovalBody) });
  const send = form.onSubmit(
    (body) => onAct({ name: 'cancelApproval', body }),
    (errors) => focusFirstInvalid(form, ['reason'], errors),
  );
  return (
    <ActionDialog
      title="Cancel the approval?"
      action="Cancel Approval"
      onClose={onClose}
      onSubmit={send}
      sending={sending}
      refusal={general(failure, 'reason')}
    >
      <Text>{subject.client} will not be paid for this invoice. They can apply again. This cannot be undone.</Text>
      <TextArea
        label="Reason"
        description="The client reads this."
        withAsterisk
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('reason')}
        error={failure?.fields.reason ?? form.errors.reason}
      />
    </ActionDialog>
  );
}

function HandOverDialog({ subject, onClose, onAct, sending, failure }: DialogProps) {
  const officers = useQuery(officersQuery);
  const form = useForm({ initialValues: { officerTag: '' }, validate: schemaResolver(handOverBody) });
  const others = officers.data?.filter(({ tag }) => tag !== subject.holder?.tag) ?? [];
  return (
    <ActionDialog
      title="Hand this case over"
      action="Hand Over"
      onClose={onClose}
      onSubmit={form.onSubmit(
        ({ officerTag }) => onAct({ name: 'handOver', officerTag }),
        (errors) => focusFirstInvalid(form, ['officerTag'], errors),
      )}
      sending={sending}
      refusal={general(failure, 'officerTag') ?? officers.error?.message}
    >
      <Select
        label="To"
        withAsterisk
        searchable
        data={others.map(({ tag, name }) => ({ value: tag, label: name }))}
        allowDeselect={false}
        loading={officers.isPending}
        data-autofocus
        {...form.getInputProps('officerTag')}
        value={form.values.officerTag === '' ? null : form.values.officerTag}
        error={failure?.fields.officerTag ?? (form.errors.officerTag === undefined ? undefined : 'Select an officer')}
      />
    </ActionDialog>
  );
}
