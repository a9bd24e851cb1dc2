import type { PersonRow } from '#contract/people/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { Question } from '#web/ui/forms/question.tsx';
import { useDeactivatePerson } from './people.api.ts';

interface DeactivateQuestionProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

/** Asks before a person loses their way in (docs/specification-coverage.md, 'Deliberate departures'). */
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
    <Question yes="Deactivate" no="Cancel" mutation={deactivate} onYes={confirm} onClose={onClose}>
      They are logged out everywhere at once and cannot log in until somebody activates them again.
    </Question>
  );
}
