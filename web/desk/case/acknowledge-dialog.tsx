import { Checkbox, Stack, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import { acknowledgeBody, type CaseReply, type Flag, flagKinds } from '#contract/desk/schema.ts';
import { stopsCase } from '#contract/flags/case-flags.ts';
import { useAcknowledge } from '#web/desk/desk.api.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { keyOfFlag } from './red-facts.ts';

interface AcknowledgeDialogProps {
  readonly subject: CaseReply;
  readonly flag: Flag;
  readonly onClose: () => void;
}

/** A short name for the flag to acknowledge. */
function nameOf({ other, fact }: Flag): string {
  return other === null ? (fact ?? '') : `${other.invoiceNumber}, ${other.client}`;
}

/** An officer answers for a flag, and for others of the same case that they tick. */
export function AcknowledgeDialog({ subject, flag, onClose }: AcknowledgeDialogProps) {
  const [others, setOthers] = useState<string[]>([]);
  // The server refuses to acknowledge an open flag that blocks nothing now.
  const stopping = subject.flags.filter((each) => each.acknowledged === null && stopsCase(subject, each.kind));
  const open = stopping.filter((each) => keyOfFlag(each) !== keyOfFlag(flag));
  const named = [flag, ...open.filter((each) => others.includes(keyOfFlag(each)))];
  const { form, dialog } = useDialogForm({
    initialValues: { reason: '' },
    onClose,
    validate: schemaResolver(acknowledgeBody.pick({ reason: true })),
    sender: useAcknowledge(subject.tag),
    toSend: ({ reason }, idempotencyKey) => {
      const flags = named.map(({ kind, other, fact }) => ({ kind, otherTag: other?.tag, fact: fact ?? undefined }));
      return { body: { flags, reason }, idempotencyKey };
    },
  });
  return (
    <ActionDialog
      title={flag.other === null ? 'Acknowledge this flag?' : 'Acknowledge this possible duplicate?'}
      action="Acknowledge"
      {...dialog}
    >
      <Text>
        <b>{nameOf(flag)}</b>
        <br />
        {flagKinds[flag.kind]}
      </Text>
      {open.length > 0 && (
        <Checkbox.Group label="Acknowledge with the same reason" value={others} onChange={setOthers}>
          <Stack gap="xs" mt="xs">
            {open.map((each) => (
              <Checkbox
                key={keyOfFlag(each)}
                value={keyOfFlag(each)}
                label={`${nameOf(each)}: ${flagKinds[each.kind]}`}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <TextArea
        label={flag.other === null ? 'Why this can continue' : 'Why this is not a duplicate'}
        description="Officers read this. It stays on record with your name."
        withAsterisk
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </ActionDialog>
  );
}
