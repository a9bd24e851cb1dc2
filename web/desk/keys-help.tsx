import { Button, Kbd, Modal, Stack, Switch, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';
import classes from './desk.module.css';
import { type DeskKey, useDeskKeys, useKeysEnabled } from './desk-keys.ts';

interface DeskKeysProps {
  readonly keys: readonly DeskKey[];
  /** What stands on the screen of them. */
  readonly summary: string;
}

/** The keys of a screen: they act, stand beside the heading in short, and open with '?' as a list. */
export function DeskKeys({ keys, summary }: DeskKeysProps) {
  const [opened, help] = useDisclosure(false);
  const { enabled, enable } = useKeysEnabled();
  useDeskKeys(keys, enabled, help.open);
  return (
    <>
      <Button
        className={classes.keys}
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconKeyboard size={16} aria-hidden />}
        onClick={help.open}
      >
        {enabled ? summary : 'Keys are off'}
      </Button>
      <Modal opened={opened} onClose={help.close} title="Keys of this screen">
        <Stack>
          <Table aria-label="Keys of this screen">
            <Table.Tbody>
              {[...keys, { key: '?', what: 'This list' }].map(({ key, what, ...other }) => (
                <Table.Tr key={key}>
                  <Table.Th scope="row" w="6rem">
                    <Kbd>{'shown' in other ? (other.shown ?? key) : key}</Kbd>
                  </Table.Th>
                  <Table.Td>{what}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Switch
            label="Single keys act"
            description="Switch them off if you speak to this device or type by accident"
            checked={enabled}
            onChange={(event) => enable(event.currentTarget.checked)}
          />
        </Stack>
      </Modal>
    </>
  );
}
