import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { type RefusedForm, showRefusal } from '#web/ui/forms/show-refusal.ts';

/** What happens after a request is answered: a toast and a closed dialog, or a refusal. */
export function endingsOf<Field extends string>(
  form: RefusedForm<Field>,
  fields: readonly Field[],
  { done, onClose }: { readonly done: string; readonly onClose: () => void },
) {
  return {
    onSuccess: (): void => {
      notify(notices.buyerAnswered(done));
      onClose();
    },
    onError: (error: Error): void => {
      showRefusal(form, fields, error);
      if (error instanceof ApiFailure && error.code === 'REQUEST_CLOSED') onClose();
    },
  };
}
