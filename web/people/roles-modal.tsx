import { Button, Checkbox, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import type { PersonRow } from '#contract/people/schema.ts';
import { type PermissionCode, permissionCodes, roleNames } from '#contract/permissions.ts';
import { notices, notify } from '#web/notices.ts';
import { useSetRoles } from '#web/people/people.api.ts';
import { nameOf } from '#web/people/users-table.tsx';

interface RolesModalProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

/** Grants and takes roles; for administrators. */
export function RolesModal({ person, onClose }: RolesModalProps) {
  const [chosen, setChosen] = useState<readonly PermissionCode[]>(person.perms);
  const setRoles = useSetRoles();
  const save = (): void =>
    setRoles.mutate(
      { tag: person.tag, perms: [...chosen] },
      {
        onSuccess: () => {
          notify(notices.personUpdated);
          onClose();
        },
        onError: (error) => notify(notices.personUpdateFailed(error.message)),
      },
    );
  return (
    <Modal opened onClose={onClose} title={`Roles of ${nameOf(person)}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Checkbox.Group
          label="What this person may do"
          value={[...chosen]}
          onChange={(values) => setChosen(permissionCodes.filter((code) => values.includes(code)))}
        >
          <Stack mt="xs">
            {permissionCodes.map((code) => (
              <Checkbox
                key={code}
                value={code}
                label={roleNames[code]}
                disabled={code === 'BIDA' && person.business_id === null}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={setRoles.isPending} onClick={save}>
            Save roles
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
