import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';
import { late, openLate } from '#web/ui/loading/late.tsx';
import classes from './desk.module.css';
import { type DeskKey, useDeskKeys, useKeysEnabled } from './desk-keys.ts';

const KeysList = late(async () => (await import('./keys-list.tsx')).KeysList);

interface DeskKeysProps {
  readonly keys: readonly DeskKey[];
  /** A summary of the shortcuts, shown beside the heading. */
  readonly summary: string;
}

/** The shortcuts of a screen: handles them, summarises them beside the heading, and lists them when '?' is pressed. */
export function DeskKeys({ keys, summary }: DeskKeysProps) {
  const [opened, help] = useDisclosure(false);
  const { enabled, enable } = useKeysEnabled();
  const open = (): void => openLate(KeysList, help.open);
  useDeskKeys(keys, enabled, open);
  return (
    <>
      <Button
        className={classes.keys}
        fw={400}
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconKeyboard size={16} aria-hidden />}
        onClick={open}
      >
        {enabled ? summary : 'Shortcuts are off'}
      </Button>
      <Modal opened={opened} onClose={help.close} title="Keyboard shortcuts">
        <KeysList keys={keys} enabled={enabled} enable={enable} />
      </Modal>
    </>
  );
}
