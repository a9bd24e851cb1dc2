import { Anchor, Group, Image, Paper, Stack, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatFileSize, refuseFile } from './chosen-file.ts';
import classes from './chosen-file-card.module.css';
import { type ChosenFile, whatIsSent } from './use-chosen-file.ts';

interface ChosenFileCardProps {
  readonly chosen: ChosenFile;
  /** Missing once the file is being sent. */
  readonly onOriginal: ((sendsOriginal: boolean) => void) | undefined;
}

/** The chosen file: its preview, name and size. */
export function ChosenFileCard({ chosen, onOriginal }: ChosenFileCardProps) {
  const { original, smaller, sendsOriginal, preparing } = chosen;
  const { file } = whatIsSent(chosen);
  const offersOriginal = smaller !== undefined && refuseFile(original.file) === undefined;
  return (
    <Paper withBorder p="sm">
      <Group wrap="nowrap" align="flex-start">
        <Preview key={file.name + file.size} file={file} />
        <Stack gap="xxs" style={{ minWidth: 0 }}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {original.file.name}
          </Text>
          <Text size="xs" c="dimmed" role="status">
            {preparing ? 'Preparing…' : describe(chosen)}
          </Text>
          {offersOriginal && onOriginal !== undefined && (
            <Anchor
              component="button"
              type="button"
              size="sm"
              ta="start"
              className={classes.other}
              onClick={() => onOriginal(!sendsOriginal)}
            >
              {sendsOriginal
                ? `Send the smaller one (${formatFileSize(smaller.file.size)})`
                : `Send the original (${formatFileSize(original.file.size)})`}
            </Anchor>
          )}
        </Stack>
      </Group>
    </Paper>
  );
}

function describe({ original, smaller, sendsOriginal }: ChosenFile): string {
  const before = formatFileSize(original.file.size);
  if (smaller === undefined) return before;
  const after = formatFileSize(smaller.file.size);
  return sendsOriginal ? `Original: ${before} instead of ${after}` : `Made smaller: ${after} instead of ${before}`;
}

/** The picture in a file, or a sheet of paper for a file that the browser cannot draw. */
export function Preview({ file, size = 72 }: { readonly file: File; readonly size?: number }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file.type.startsWith('image/')) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (url === undefined)
    return <IconFileText size={Math.min(size, 40)} stroke={1.25} aria-hidden style={{ flexShrink: 0 }} />;
  return (
    <Image
      src={url}
      alt="The chosen file"
      w={size}
      h={size}
      fit="cover"
      radius="sm"
      onError={() => setUrl(undefined)}
    />
  );
}
