import { schemaResolver } from '@mantine/form';
import type { ReactNode } from 'react';
import { extensionBody } from '#contract/offers/schema.ts';
import { useFinancingPeriods } from '#web/applications/terms/applications.api.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
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

/** Which period, and why. */
export function MoreTimeDialog({ tag, name, title, action, reasonLabel, onClose, children }: MoreTimeDialogProps) {
  const periods = useFinancingPeriods();
  const { form, dialog } = useDialogForm({
    initialValues: { financingPeriodId: '', reason: '' },
    onClose,
    validate: schemaResolver(extensionBody),
    sender: useExtensionAct(tag),
    toSend: (body, idempotencyKey) => ({ act: { name, body }, idempotencyKey }),
  });
  return (
    <ActionDialog title={title} action={action} {...dialog}>
      {children}
      <LookupSelect
        label="Financing period"
        placeholder="Choose"
        withAsterisk
        lookup={periods}
        {...form.getInputProps('financingPeriodId')}
      />
      <TextArea label={reasonLabel} withAsterisk maxLength={1000} {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
