import { Kbd, Stack, Switch, Table } from '@mantine/core';
import type { DeskKey } from './desk-keys.ts';

interface KeysListProps {
  readonly keys: readonly DeskKey[];
  readonly enabled: boolean;
  readonly enable: (enabled: boolean) => void;
}

/** The shortcuts of a screen as a list, with a switch to enable them. */
export function KeysList({ keys, enabled, enable }: KeysListProps) {
  return (
    <Stack>
      <Table aria-label="Keyboard shortcuts">
        <Table.Tbody>
          {[...keys, { key: '?', what: 'This list' }].map(({ key, what }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" w="6rem">
                <Kbd>{key}</Kbd>
              </Table.Th>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        label="Use single-key shortcuts"
        description="Turn this off if you speak to this device, or press keys by accident"
        checked={enabled}
        onChange={(event) => enable(event.currentTarget.checked)}
      />
    </Stack>
  );
}
