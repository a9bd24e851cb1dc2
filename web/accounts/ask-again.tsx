import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countedShort, sayWait } from '#contract/counts.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { useSecondsLeft } from '#web/ui/dates/countdown.ts';

interface LastRequest {
  readonly isPending: boolean;
  readonly error: Error | null;
  /** When the last request was sent, in milliseconds since 1970. */
  readonly submittedAt: number;
}

/** The earliest time for another request, in milliseconds since 1970; 0 unless a refusal named a time. */
function refusedUntil({ error, submittedAt }: LastRequest): number {
  const seconds = error instanceof ApiFailure ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? 0 : submittedAt + seconds * 1000;
}

interface AskAgainProps {
  /** Milliseconds since 1970. Until then the button is disabled and shows the time left. */
  readonly notBefore: number;
  readonly asked: LastRequest;
  readonly onAsk: () => void;
  /** Another button in the same row, placed before this one. */
  readonly beside?: ReactNode;
}

/** The button that requests another code. It shows the remaining wait, with the last failure above it. */
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
