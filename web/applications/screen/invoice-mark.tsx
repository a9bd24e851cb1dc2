import { Group, Text } from '@mantine/core';
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import { type Status, statusTraits } from '#contract/applications/lifecycle.ts';

/**
 * The status icon of the invoice card, with the note shown from submission to decision (docs/specification-coverage.md,
 * 2).
 */
export function InvoiceMark({ status }: { readonly status: Status }) {
  if (status === 'Draft')
    return <IconCircleDashed size={20} role="img" aria-label="Draft" color="var(--mantine-color-dimmed)" />;
  const { undecided, offered } = statusTraits[status];
  const isOver = !undecided && !offered;
  return (
    <Group gap="xs" wrap="nowrap" c={isOver ? 'dimmed' : 'var(--mantine-color-success)'}>
      {!isOver && <IconCircleCheckFilled size={20} aria-hidden style={{ flexShrink: 0 }} />}
      <Text size="sm" fw={500}>
        {undecided ? 'Submitted for Processing' : status}
      </Text>
    </Group>
  );
}
