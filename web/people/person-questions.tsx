import type { PersonRow } from '#contract/people/schema.ts';
import { notices } from '#web/notices.ts';
import { Question } from '#web/ui/forms/question.tsx';
import { endingsOf } from './change-endings.ts';
import { useDeactivatePerson, useResetSecondFactor } from './people.api.ts';

interface PersonQuestionProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

/** Asks for confirmation before a person loses access (docs/specification-coverage.md, 'Deliberate departures'). */
export function DeactivateQuestion({ person, onClose }: PersonQuestionProps) {
  const deactivate = useDeactivatePerson();
  const confirm = (): void => deactivate.mutate(person.tag, endingsOf(notices.personDeactivated, onClose));
  return (
    <Question yes="Deactivate" no="Cancel" mutation={deactivate} onYes={confirm} onClose={onClose}>
      They are logged out everywhere at once and cannot log in until somebody activates them again.
    </Question>
  );
}

/** Asks for confirmation before a second factor is reset, because the person who requested it may be an impostor. */
export function SecondFactorQuestion({ person, onClose }: PersonQuestionProps) {
  const reset = useResetSecondFactor();
  const confirm = (): void => reset.mutate(person.tag, endingsOf(notices.secondFactorReset, onClose));
  return (
    <Question yes="Reset" no="Cancel" mutation={reset} onYes={confirm} onClose={onClose}>
      For somebody who lost their phone and their recovery codes. Check that it is really them. We log them out
      everywhere and tell them. Until they set up a new one, a password is enough.
    </Question>
  );
}
