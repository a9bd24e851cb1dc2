import { Checkbox, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { acknowledgeBody, type CaseReply, type Flag, flagKinds } from '#contract/desk/schema.ts';
import { useAcknowledge } from '#web/desk/desk.api.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';

interface AcknowledgeDialogProps {
  readonly subject: CaseReply;
  readonly flag: Flag;
  readonly onClose: () => void;
}

const keyOf = ({ kind, other }: Flag): string => `${kind} ${other.tag}`;

/** An officer answers for a possible duplicate, and with it for others of the case that they tick. */
export function AcknowledgeDialog({ subject, flag, onClose }: AcknowledgeDialogProps) {
  const [idempotencyKey] = useState(uniqueKey);
  const [others, setOthers] = useState<string[]>([]);
  const acknowledging = useAcknowledge(subject.tag);
  const form = useForm({
    initialValues: { reason: '' },
    validate: schemaResolver(acknowledgeBody.pick({ reason: true })),
  });
  const open = subject.flags.filter((each) => each.acknowledged === null && keyOf(each) !== keyOf(flag));
  const named = [flag, ...open.filter((each) => others.includes(keyOf(each)))];
  const failure = acknowledging.error instanceof ApiFailure ? acknowledging.error : undefined;
  const send = form.onSubmit(
    ({ reason }) => {
      const flags = named.map(({ kind, other }) => ({ kind, otherTag: other.tag }));
      acknowledging.mutate({ body: { flags, reason }, idempotencyKey }, { onSuccess: onClose });
    },
    (errors) => focusFirstInvalid(form, ['reason'], errors),
  );
  return (
    <ActionDialog
      title="Acknowledge this possible duplicate?"
      action="Acknowledge"
      onClose={onClose}
      onSubmit={send}
      sending={acknowledging.isPending}
      refusal={failure?.fields.reason === undefined ? acknowledging.error?.message : undefined}
    >
      <Text>
        <b>
          {flag.other.invoiceNumber}, {flag.other.client}
        </b>
        <br />
        {flagKinds[flag.kind]}
      </Text>
      {open.length > 0 && (
        <Checkbox.Group label="Acknowledge with the same reason" value={others} onChange={setOthers}>
          <Stack gap={8} mt={8}>
            {open.map((each) => (
              <Checkbox
                key={keyOf(each)}
                value={keyOf(each)}
                label={`${each.other.invoiceNumber}, ${each.other.client}: ${flagKinds[each.kind]}`}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <TextArea
        label="Why this is not a duplicate"
        description="Officers read this. It stays on record with your name."
        withAsterisk
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('reason')}
        error={failure?.fields.reason ?? form.errors.reason}
      />
    </ActionDialog>
  );
}
