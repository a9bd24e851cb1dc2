import { Button, Group, Stack, Text } from '@mantine/core';
import type { PersonRow } from '#contract/people/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { useResetSecondFactor } from './people.api.ts';

interface SecondFactorQuestionProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

/** Asks before somebody's second factor is taken away: whoever asks for it may not be who they say. */
export function SecondFactorQuestion({ person, onClose }: SecondFactorQuestionProps) {
  const reset = useResetSecondFactor();
  const confirm = (): void =>
    reset.mutate(person.tag, {
      onSuccess: () => {
        notify(notices.secondFactorReset);
        onClose();
      },
      onError: (error) => notify(notices.personUpdateFailed(error.message)),
    });
  return (
    <Stack>
      <Text>
        For somebody who lost their phone and their recovery codes. Be sure that it is they who ask. They are logged out
        everywhere, told of it, and get in with their password alone until they have set up a new one.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={reset.isPending} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={reset.isPending} onClick={confirm}>
          Reset
        </Button>
      </Group>
    </Stack>
  );
}
