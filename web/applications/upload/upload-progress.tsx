import { Button, Group, Progress, Stack, Text } from '@mantine/core';

interface UploadProgressProps {
  /** The share that has arrived, from 0 to 1. */
  readonly share: number;
  readonly waiting: boolean;
  readonly onCancel: () => void;
}

/** The progress of an upload, and the button to stop it. */
export function UploadProgress({ share, waiting, onCancel }: UploadProgressProps) {
  const percent = Math.round(share * 100);
  return (
    <Group wrap="nowrap" flex={1}>
      <Stack gap="xxs" flex={1}>
        <Progress.Root size="lg">
          <Progress.Section value={percent} aria-label="Upload" {...(waiting ? { color: 'gray' } : {})} />
        </Progress.Root>
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {waiting
            ? `No connection. ${percent}% is sent. We'll send the rest when you are back online.`
            : describe(percent)}
        </Text>
      </Stack>
      <Button variant="default" onClick={onCancel} ref={takeFocus}>
        Cancel
      </Button>
    </Group>
  );
}

function describe(percent: number): string {
  return percent < 100 ? `Uploading… ${percent}%` : 'Uploaded 100%. Checking the document…';
}

/** Focuses a button that replaces the pressed one. */
export function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus();
}
