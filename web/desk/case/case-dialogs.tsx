import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { type ComponentType, useState } from 'react';
import { declineReasons } from '#contract/applications/decline-reasons.ts';
import { requestBody } from '#contract/applications/progress.ts';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import { type CaseAction, cancelApprovalBody, declineBody, sendBackBody } from '#contract/desk/schema.ts';
import { failures } from '#contract/errors.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { PLACED_BY_YOU } from './case-actions.ts';
import { RedFacts, useRedFacts } from './case-facts.tsx';
import { CounterOfferDialog } from './counter-offer-dialog.tsx';
import type { DialogProps } from './dialog-props.ts';

const FLAGS_FIRST = `${failures.FLAG_OPEN.msg}.`;

function ApproveDialog({ subject, readAt, onClose, sender }: DialogProps) {
  const { client, invoiceNumber, buyer, currency, needsTwo, firstApprovalBy } = subject;
  const red = useRedFacts(subject, readAt);
  const isStopped = red.some(({ kind }) => kind === 'flag');
  const isApproved = subject.status === 'Approved';
  // Kept from when the dialog opened: a retry after a lost reply is still the same approval.
  const [first] = useState(needsTwo && firstApprovalBy === null && !isApproved);
  const { dialog } = useDialogForm({
    initialValues: {},
    sender,
    onClose,
    toSend: () => ({ name: 'approve', body: { step: first ? 'approveFirst' : 'approve' } }) as const,
  });
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
      {...dialog}
      blocked={isStopped}
    >
      <Text>
        <b>{client}</b> receives
      </Text>
      <Text fz="xl" fw={700} lh={1.2}>
        <Amount value={subject.amountReceived} currency={currency} />
      </Text>
      <Text>
        An advance of <Amount value={subject.amountAppliedFor} currency={currency} /> on invoice {invoiceNumber} to{' '}
        {buyer}, face value <Amount value={subject.amount} currency={currency} />.
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
            ? `${subject.placedByYou ? PLACED_BY_YOU : 'This client’s total needs two officers.'} It stays in review until another one approves.`
            : firstApprovalBy === null
              ? 'We tell the client at once. Another officer then pays them.'
              : 'We tell the client at once. You can then pay them.'}
      </Text>
    </ActionDialog>
  );
}

function RequestDialog({ onClose, sender, documentTypes }: DialogProps) {
  const { form, dialog } = useDialogForm({
    initialValues: { typeIds: [] as string[], question: '' },
    sender,
    onClose,
    validate: schemaResolver(requestBody),
    toSend: (body) => ({ name: 'requestInformation', body }) as const,
  });
  return (
    <ActionDialog title="Request information" action="Ask the Client" {...dialog}>
      <Checkbox.Group label="Documents to add or replace" {...form.getInputProps('typeIds')}>
        <Stack gap="xs" mt="xs">
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
      />
    </ActionDialog>
  );
}

const reasons = Object.entries(declineReasons).map(([value, label]) => ({ value, label }));

function DeclineDialog({ subject, onClose, sender }: DialogProps) {
  const { form, dialog } = useDialogForm({
    initialValues: { reason: '', note: '' },
    sender,
    onClose,
    validate: schemaResolver(declineBody),
    toSend: (values) => ({ name: 'decline', body: declineBody.parse(values) }) as const,
  });
  return (
    <ActionDialog
      title={`Decline ${subject.client}, invoice ${subject.invoiceNumber}?`}
      action="Decline"
      color="red"
      {...dialog}
    >
      <Select
        label="Reason"
        withAsterisk
        data={reasons}
        allowDeselect={false}
        data-autofocus
        {...form.getInputProps('reason')}
        value={form.values.reason === '' ? null : form.values.reason}
      />
      <TextArea
        label="Note to the client"
        description="The client reads the reason and this note."
        withAsterisk
        maxLength={1000}
        {...form.getInputProps('note')}
      />
    </ActionDialog>
  );
}

function SendBackDialog({ subject, onClose, sender }: DialogProps) {
  const { form, dialog } = useDialogForm({
    initialValues: { note: '' },
    sender,
    onClose,
    validate: schemaResolver(sendBackBody),
    toSend: (body) => ({ name: 'sendBack', body }) as const,
  });
  return (
    <ActionDialog title="Withdraw the first approval?" action="Withdraw First Approval" {...dialog}>
      <Text>The approval by {subject.firstApprovalBy?.name} no longer counts. The case goes back to review.</Text>
      <TextArea
        label="What to check again"
        description="Only officers read this."
        withAsterisk
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('note')}
      />
    </ActionDialog>
  );
}

function CancelApprovalDialog({ subject, onClose, sender }: DialogProps) {
  const { form, dialog } = useDialogForm({
    initialValues: { reason: '' },
    sender,
    onClose,
    validate: schemaResolver(cancelApprovalBody),
    toSend: (body) => ({ name: 'cancelApproval', body }) as const,
  });
  return (
    <ActionDialog title="Cancel the approval?" action="Cancel Approval" {...dialog}>
      <Text>{subject.client} will not be paid for this invoice. They can apply again. This cannot be undone.</Text>
      <TextArea
        label="Reason"
        description="The client reads this."
        withAsterisk
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </ActionDialog>
  );
}

function HandOverDialog({ subject, onClose, sender }: DialogProps) {
  const officers = useCall(deskEndpoints.deskOfficers);
  const { form, dialog } = useDialogForm({
    initialValues: { officerTag: '' },
    sender,
    onClose,
    validate: { officerTag: (tag) => (tag === '' ? 'Select an officer' : null) },
    toSend: (body) => ({ name: 'handOver', body }) as const,
  });
  const others = officers.data?.filter(({ tag }) => tag !== subject.holder?.tag) ?? [];
  return (
    <ActionDialog
      title="Hand this case over"
      action="Hand Over"
      {...dialog}
      refusal={dialog.refusal ?? officers.error?.message}
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
      />
    </ActionDialog>
  );
}

/** The dialog of each action that asks for confirmation or details first. */
const dialogs: Partial<Record<CaseAction, ComponentType<DialogProps>>> = {
  approve: ApproveDialog,
  requestInformation: RequestDialog,
  counterOffer: CounterOfferDialog,
  decline: DeclineDialog,
  sendBack: SendBackDialog,
  cancelApproval: CancelApprovalDialog,
  handOver: HandOverDialog,
};

/** Whether an action opens a dialog first. */
export function asksFirst(action: CaseAction): boolean {
  return action in dialogs;
}

/** The dialog of an action that has one; null for the others. */
export function CaseDialog({ action, ...props }: DialogProps & { readonly action: CaseAction }) {
  const Dialog = dialogs[action];
  return Dialog === undefined ? null : <Dialog {...props} />;
}
