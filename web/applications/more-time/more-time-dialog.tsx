import { schemaResolver, useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { extensionBody } from '#contract/offers/schema.ts';
import { useFinancingPeriods } from '#web/applications/terms/applications.api.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { LookupSelect } from '#web/ui/forms/lookup-select.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { useExtensionAct } from './extension.api.ts';

interface MoreTimeDialogProps {
  readonly tag: string;
  /** A client asks, an officer offers. */
  readonly name: 'ask' | 'offer';
  readonly title: string;
  readonly action: string;
  readonly reasonLabel: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const fields = ['financingPeriodId', 'reason'] as const;

/** Which period, and why. */
export function MoreTimeDialog({ tag, name, title, action, reasonLabel, onClose, children }: MoreTimeDialogProps) {
  const acting = useExtensionAct(tag);
  const periods = useFinancingPeriods();
  const [idempotencyKey] = useState(uniqueKey);
  const form = useForm({
    initialValues: { financingPeriodId: '', reason: '' },
    validate: schemaResolver(extensionBody),
  });
  const known = acting.error instanceof ApiFailure ? acting.error.fields : {};
  const send = form.onSubmit(
    (body) => acting.mutate({ act: { name, body }, idempotencyKey }, { onSuccess: onClose }),
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return (
    <ActionDialog
      title={title}
      action={action}
      onClose={onClose}
      onSubmit={send}
      sending={acting.isPending}
      refusal={Object.keys(known).length > 0 ? undefined : acting.error?.message}
    >
      {children}
      <LookupSelect
        label="Financing period"
        placeholder="Choose"
        withAsterisk
        lookup={periods}
        {...form.getInputProps('financingPeriodId')}
        error={known.financingPeriodId ?? form.errors.financingPeriodId}
      />
      <TextArea
        label={reasonLabel}
        withAsterisk
        maxLength={1000}
        {...form.getInputProps('reason')}
        error={known.reason ?? form.errors.reason}
      />
    </ActionDialog>
  );
}
