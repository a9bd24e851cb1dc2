import { Text } from '@mantine/core';
import { sayToPayee } from '#contract/payouts/outlook-words.ts';
import type { ShownOutlook } from '#contract/payouts/schema.ts';

/** What is still needed before the cash goes, and from when it can go: red if the client must act. */
export function CashLine({ outlook }: { readonly outlook: ShownOutlook | null }) {
  if (outlook === null) return null;
  return (
    <Text fw={600} {...(outlook.step === 'askClient' ? { c: 'var(--mantine-color-error)' } : {})}>
      {sayToPayee(outlook, new Date())}.
    </Text>
  );
}
