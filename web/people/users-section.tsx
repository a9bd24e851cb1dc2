import { Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { PersonRow } from '#contract/people/schema.ts';
import { DeactivateModal } from '#web/people/deactivate-modal.tsx';
import { RolesModal } from '#web/people/roles-modal.tsx';
import { UpdatePersonModal } from '#web/people/update-person-modal.tsx';
import { type PersonAction, UsersTable } from '#web/people/users-table.tsx';

interface Opened {
  readonly action: PersonAction;
  readonly person: PersonRow;
}

/** Users with what staff may do to them. */
export function UsersSection() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  return (
    <Stack component="section" gap="sm" aria-labelledby="users-heading">
      <Title order={2} id="users-heading">
        Users
      </Title>
      <UsersTable onAction={(action, person) => setOpened({ action, person })} />
      {opened?.action === 'activate' && <UpdatePersonModal person={opened.person} onClose={close} />}
      {opened?.action === 'deactivate' && <DeactivateModal person={opened.person} onClose={close} />}
      {opened?.action === 'roles' && <RolesModal person={opened.person} onClose={close} />}
    </Stack>
  );
}
