import type { PersonRow } from '#contract/people/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { Question } from '#web/ui/forms/question.tsx';
import { useResetSecondFactor } from './people.api.ts';

interface SecondFactorQuestionProps {
  readonly person: PersonRow;
  readonly onClose: () => void;
}

/** Asks before a second factor is reset: the person who asked for it may be an impostor. */
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
    <Question yes="Reset" no="Cancel" mutation={reset} onYes={confirm} onClose={onClose}>
      For somebody who lost their phone and their recovery codes. Be sure that it is they who ask. They are logged out
      everywhere, told of it, and get in with their password alone until they have set up a new one.
    </Question>
  );
}
