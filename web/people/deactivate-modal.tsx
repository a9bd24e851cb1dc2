import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { PersonRow } from '#contract/people/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { useDeactivatePerson } from '#web/people/people.api.ts';
import { nameOf } from '#web/people/users-table.tsx';

interface DeactivateModalProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

/** Asks before a person loses their way in (decisions, 'Deliberate departures'). */
export function DeactivateModal({ person, onClose }: DeactivateModalProps) {
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
    <Modal
      opened
      onClose={onClose}
      title={`Deactivate ${nameOf(person)}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text>They are logged out everywhere at once and cannot log in until somebody activates them again.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={deactivate.isPending} onClick={confirm}>
            Deactivate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
