import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countedShort, sayWait } from '#contract/counts.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { useSecondsLeft } from '#web/ui/dates/countdown.ts';

interface Asked {
  readonly isPending: boolean;
  readonly error: Error | null;
  /** When it was asked last, in milliseconds since 1970. */
  readonly submittedAt: number;
}

/** Until when another code may not be asked for, in milliseconds since 1970: 0 unless a refusal named a time. */
function refusedUntil({ error, submittedAt }: Asked): number {
  const seconds = error instanceof ApiFailure ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? 0 : submittedAt + seconds * 1000;
}

interface AskAgainProps {
  /** Milliseconds since 1970; before that the button waits and says how long. */
  readonly notBefore: number;
  readonly asked: Asked;
  readonly onAsk: () => void;
  /** Another button in the same row, before this one. */
  readonly beside?: ReactNode;
}

/** The button for another code; it shows the wait, and the last failure above it. */
export function AskAgain({ notBefore, asked, onAsk, beside }: AskAgainProps) {
  const wait = useSecondsLeft(Math.max(notBefore, refusedUntil(asked)));
  return (
    <div>
      {asked.error === null ? null : (
        <Text role="alert" size="sm" c="var(--mantine-color-error)" mb="xs">
          {asked.error.message}
        </Text>
      )}
      <Group grow gap="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {beside}
        <Button variant="default" px="xs" onClick={onAsk} disabled={wait > 0} loading={asked.isPending}>
          {wait > 0 ? `Resend in ${sayWait(wait, countedShort)}` : 'Resend'}
        </Button>
      </Group>
    </div>
  );
}
