import { Alert, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ShownRequest } from '#contract/requests-to-pay/schema.ts';
import { sayToPayer } from '#contract/requests-to-pay/words.ts';
import { isUnfinished } from '#contract/transfers/asking.ts';
import { formatClock, useSecondsLeft } from '#web/ui/dates/countdown.ts';

interface RequestStateProps {
  readonly request: ShownRequest;
  /** Each new state takes the focus, because the reader waits for it. */
  readonly takesFocus?: boolean;
}

/** The state of a request to pay, and what the client should do. */
export function RequestState({ request, takesFocus = false }: RequestStateProps) {
  const { state, until } = request;
  const seconds = useSecondsLeft(new Date(until).getTime());
  const { title, text } = sayToPayer(request, new Date());
  const color = state === 'succeeded' ? 'green' : state === 'failed' ? 'red' : 'blue';
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus && title !== '') shown.current?.focus();
  }, [takesFocus, title]);
  return (
    <Alert
      ref={shown}
      color={color}
      variant="light"
      title={title}
      role="status"
      {...(takesFocus ? { tabIndex: -1, 'data-autofocus': true } : {})}
    >
      <Text size="sm">{text}</Text>
      {isUnfinished(request) && seconds > 0 && (
        <Text size="sm" fw={600} aria-hidden style={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatClock(seconds)} left
        </Text>
      )}
    </Alert>
  );
}
