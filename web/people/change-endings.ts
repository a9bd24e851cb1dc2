import { type Notice, notices, notify } from '#web/notices.ts';

/** What happens after a person was changed: a toast and a closed dialog, or a refusal. */
export function endingsOf(done: Notice, onClose: () => void) {
  return {
    onSuccess: (): void => {
      notify(done);
      onClose();
    },
    onError: (error: Error): void => notify(notices.personUpdateFailed(error.message)),
  };
}
