import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { PersonRow } from '#contract/people/schema.ts';
import { type PermissionCode, permissionCodes, roleNames } from '#contract/permissions.ts';
import { notices } from '#web/notices.ts';
import { endingsOf } from './change-endings.ts';
import { useSetRoles } from './people.api.ts';

interface RolesFormProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

const meanings: Readonly<Record<PermissionCode, string>> = {
  BIDA: 'Enters invoices and applies for their business',
  KADMIN: 'Everything staff may do, and roles',
  KSTAF: 'Sees every application, manages users and businesses',
};

/** Grants and removes roles; for administrators. */
export function RolesForm({ person, onClose }: RolesFormProps) {
  const [chosen, setChosen] = useState<readonly PermissionCode[]>(person.perms);
  const setRoles = useSetRoles();
  const lacksBusiness = person.business_id === null;
  const save = (): void =>
    setRoles.mutate(
      { tag: person.tag, perms: [...chosen], seenPerms: person.perms },
      endingsOf(notices.personUpdated, onClose),
    );
  return (
    <Stack gap="lg">
      <Checkbox.Group
        size="md"
        label="What this person may do"
        description="If you remove a role, this person is logged out everywhere."
        value={[...chosen]}
        onChange={(values) => setChosen(permissionCodes.filter((code) => values.includes(code)))}
      >
        <Stack mt="md" gap="sm">
          {permissionCodes.map((code) => {
            const needsBusiness = code === 'BIDA' && lacksBusiness;
            return (
              <Checkbox
                key={code}
                value={code}
                label={roleNames[code]}
                description={needsBusiness ? 'Needs a business first: activate the person with one' : meanings[code]}
                disabled={needsBusiness}
              />
            );
          })}
        </Stack>
      </Checkbox.Group>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={setRoles.isPending}>
          Cancel
        </Button>
        <Button loading={setRoles.isPending} onClick={save}>
          Save roles
        </Button>
      </Group>
    </Stack>
  );
}
