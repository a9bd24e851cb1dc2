import { Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { PersonRow } from '#contract/people/schema.ts';
import { FormModal } from '#web/ui/forms/form-modal.tsx';
import { type LatePart, late, openLate } from '#web/ui/loading/late.tsx';
import { nameOf } from '#web/ui/text/person-name.ts';
import type { PersonAction } from './person-actions.tsx';
import type { NewBusinessForm } from './update-person-form.tsx';
import { UsersTable } from './users-table.tsx';

interface DialogProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
  readonly NewBusiness: NewBusinessForm;
}

interface Dialog {
  readonly title: (person: PersonRow) => string;
  readonly Body: LatePart<DialogProps>;
}

const dialogs: Readonly<Record<PersonAction, Dialog>> = {
  activate: {
    title: () => 'Update Person',
    Body: late(async () => (await import('./update-person-form.tsx')).UpdatePersonForm),
  },
  deactivate: {
    title: (person: PersonRow) => `Deactivate ${nameOf(person)}?`,
    Body: late(async () => (await import('./person-questions.tsx')).DeactivateQuestion),
  },
  roles: {
    title: (person: PersonRow) => `Roles of ${nameOf(person)}`,
    Body: late(async () => (await import('./roles-form.tsx')).RolesForm),
  },
  secondFactor: {
    title: (person: PersonRow) => `Reset the second factor of ${nameOf(person)}?`,
    Body: late(async () => (await import('./person-questions.tsx')).SecondFactorQuestion),
  },
};

/** Users, with the actions for staff. */
export function UsersSection({ NewBusiness }: Pick<DialogProps, 'NewBusiness'>) {
  const [opened, dialog] = useDisclosure(false);
  // Kept while the dialog closes; its content unmounts with it, so that the next opening starts empty.
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
        onAction={(action, person) =>
          openLate(dialogs[action].Body, () => {
            setChosen({ action, person });
            dialog.open();
          })
        }
      />
      <FormModal opened={opened} onClose={dialog.close} title={chosen === null ? null : title(chosen.person)}>
        {chosen !== null && <Body person={chosen.person} onClose={dialog.close} NewBusiness={NewBusiness} />}
      </FormModal>
    </Stack>
  );
}
