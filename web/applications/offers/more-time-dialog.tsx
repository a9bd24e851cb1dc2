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
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const words = {
  ask: { title: 'Ask for more time', reason: 'Why you need it' },
  offer: { title: 'Offer more time', reason: 'Reason' },
} as const;

/** Asks for the period and the reason. */
export function MoreTimeDialog({ tag, name, onClose, children }: MoreTimeDialogProps) {
  const { title, reason } = words[name];
  const periods = useFinancingPeriods();
  const { form, dialog } = useDialogForm({
    initialValues: { financingPeriodId: '', reason: '' },
    onClose,
    validate: schemaResolver(extensionBody),
    sender: useExtensionAct(tag),
    toSend: (body, idempotencyKey) => ({ act: { name, body }, idempotencyKey }),
  });
  return (
    <ActionDialog title={title} action={title} {...dialog}>
      {children}
      <LookupSelect
        label="Financing period"
        placeholder="Choose"
        withAsterisk
        lookup={periods}
        data-autofocus
        {...form.getInputProps('financingPeriodId')}
      />
      <TextArea label={reason} withAsterisk maxLength={1000} {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
