import { Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { PersonRow } from '#contract/people/schema.ts';
import { DeactivateQuestion } from '#web/people/deactivate-question.tsx';
import type { PersonAction } from '#web/people/person-actions.tsx';
import { nameOf } from '#web/people/person-name.ts';
import { RolesForm } from '#web/people/roles-form.tsx';
import { UpdatePersonForm } from '#web/people/update-person-form.tsx';
import { UsersTable } from '#web/people/users-table.tsx';
import { FormModal } from '#web/ui/form-modal.tsx';

const dialogs = {
  activate: { title: () => 'Update Person', Body: UpdatePersonForm },
  deactivate: { title: (person: PersonRow) => `Deactivate ${nameOf(person)}?`, Body: DeactivateQuestion },
  roles: { title: (person: PersonRow) => `Roles of ${nameOf(person)}`, Body: RolesForm },
} as const satisfies Record<PersonAction, object>;

/** Users with what staff may do to them. */
export function UsersSection() {
  const [opened, dialog] = useDisclosure(false);
  // Kept while the dialog closes; its content goes with it, so that the next time begins afresh.
  const [chosen, setChosen] = useState<{ readonly action: PersonAction; readonly person: PersonRow } | null>(null);
  const { title, Body } = dialogs[chosen?.action ?? 'activate'];
  return (
    <Stack component="section" gap="sm" aria-labelledby="users-heading">
      <UsersTable
        heading={
          <Title order={2} id="users-heading">
            Users
          </Title>
        }
        onAction={(action, person) => {
          setChosen({ action, person });
          dialog.open();
        }}
      />
      <FormModal opened={opened} onClose={dialog.close} title={chosen === null ? null : title(chosen.person)}>
        {chosen !== null && <Body person={chosen.person} onClose={dialog.close} />}
      </FormModal>
    </Stack>
  );
}
