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
      For somebody who lost their phone and their recovery codes. Check that it is really them. We log them out
      everywhere and tell them. Until they set up a new one, a password is enough.
    </Question>
  );
}
