import { Alert, Text } from '@mantine/core';
import type { ShownRequest } from '#contract/requests-to-pay/schema.ts';
import { isOpen, sayToPayer } from '#contract/requests-to-pay/words.ts';
import { useSecondsLeft } from '#web/ui/dates/countdown.ts';

/** What became of a request to pay, and what to do. */
export function RequestState({ request }: { readonly request: ShownRequest }) {
  const { state, until } = request;
  const seconds = useSecondsLeft(new Date(until).getTime());
  const { title, text } = sayToPayer(request, new Date());
  const color = state === 'succeeded' ? 'green' : state === 'failed' ? 'red' : 'blue';
  return (
    <Alert color={color} variant="light" title={title} role="status">
      <Text size="sm">{text}</Text>
      {isOpen(request) && seconds > 0 && (
        <Text size="sm" fw={600} aria-hidden style={{ fontVariantNumeric: 'tabular-nums' }}>
          {`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`}
        </Text>
      )}
    </Alert>
  );
}
