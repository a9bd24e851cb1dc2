import { Card, type CardProps, Group, Stack, type StackProps, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionCardProps extends Pick<CardProps, 'padding'>, Pick<StackProps, 'gap'> {
  readonly title: string;
  /** Shown at the end of the heading's line. */
  readonly mark?: ReactNode;
  /** The anchor for links: on the card or its heading. */
  readonly id?: string;
  readonly headingId?: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A part of a screen on a card, named by its heading. */
export function SectionCard({ title, mark, headingId, gap = 'md', children, ...card }: SectionCardProps) {
  const ownId = useId();
  const id = headingId ?? ownId;
  return (
    <Card component="section" aria-labelledby={id} {...card}>
      <Stack gap={gap}>
        <Group justify="space-between" gap="xs">
          <Title order={2} id={id}>
            {title}
          </Title>
          {mark}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
