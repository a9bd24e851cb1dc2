import type { FormErrors } from '@mantine/form';

export interface FormWithNodes<Field extends string> {
  readonly getInputNode: (path: Field) => HTMLElement | null;
}

/** After a refused submit, moves to the first wrong field; `fields` lists them in their order on the screen. */
export function focusFirstInvalid<Field extends string>(
  form: FormWithNodes<Field>,
  fields: readonly Field[],
  errors: FormErrors,
): void {
  const first = fields.find((field) => errors[field] !== undefined);
  const node = first === undefined ? null : form.getInputNode(first);
  // A group of radio buttons carries the path; its first button takes the focus.
  (node?.matches('input') ? node : node?.querySelector('input'))?.focus();
}
