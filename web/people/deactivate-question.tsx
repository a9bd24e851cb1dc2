import { Button, Group, Stack, Text } from '@mantine/core';
import type { PersonRow } from '#contract/people/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { useDeactivatePerson } from './people.api.ts';

interface DeactivateQuestionProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

/** Asks before a person loses their way in (decisions, 'Deliberate departures'). */
export function DeactivateQuestion({ person, onClose }: DeactivateQuestionProps) {
  const deactivate = useDeactivatePerson();
  const confirm = (): void =>
    deactivate.mutate(person.tag, {
      onSuccess: () => {
        notify(notices.personDeactivated);
        onClose();
      },
      onError: (error) => notify(notices.personUpdateFailed(error.message)),
    });
  return (
    <Stack>
      <Text>They are logged out everywhere at once and cannot log in until somebody activates them again.</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={deactivate.isPending} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={deactivate.isPending} onClick={confirm}>
          Deactivate
        </Button>
      </Group>
    </Stack>
  );
}
