import { Alert, Button, Stack, Text } from '@mantine/core';

interface NotLoadedProps {
  /** What it is that did not load. */
  readonly title: string;
  readonly why: string;
  readonly onRetry: () => void;
}

/** In the place of what did not load, with the way to ask for it again. */
export function NotLoaded({ title, why, onRetry }: NotLoadedProps) {
  return (
    <Alert color="red" title={title}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{why}</Text>
        <Button variant="default" size="sm" onClick={onRetry}>
          Retry
        </Button>
      </Stack>
    </Alert>
  );
}
