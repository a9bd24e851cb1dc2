import type { FormErrors } from '@mantine/form';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { type FormWithNodes, focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';

export interface RefusedForm<Field extends string> extends FormWithNodes<Field> {
  readonly setErrors: (errors: FormErrors) => void;
}

/** Shows a refusal on its field, or in a toast if it has no field. */
export function showRefusal<Field extends string>(
  form: RefusedForm<Field>,
  fields: readonly Field[],
  error: Error,
): void {
  const refused = error instanceof ApiFailure ? { ...error.fields } : {};
  form.setErrors(refused);
  if (fields.some((field) => refused[field] !== undefined)) focusFirstInvalid(form, fields, refused);
  else notify(notices.actionFailed(error.message));
}
