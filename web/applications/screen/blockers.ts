import type { FormErrors } from '@mantine/form';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import type { Part, Typed } from '#web/applications/draft/draft.ts';
import { invoiceLabels } from '#web/applications/invoice/invoice-values.ts';
import { applicationLabels } from '#web/applications/terms/application-values.ts';

/** One obstacle to submitting, and where to correct it. */
export type Blocker =
  | { readonly kind: 'field'; readonly part: Part; readonly field: string; readonly text: string }
  | { readonly kind: 'document'; readonly document: SupportingDocument; readonly text: string };

/** Missing or wrong things by name, in the order of the screen; errors show at their fields. */
export function findBlockers(
  typed: Typed,
  wrong: Readonly<Record<Part, FormErrors>>,
  documents: readonly SupportingDocument[],
): Blocker[] {
  return [
    ...fieldBlockers('invoice', invoiceLabels, typed.invoice, wrong.invoice),
    ...fieldBlockers('application', applicationLabels, typed.application, wrong.application),
    ...documents
      .filter(({ mandatory, documentTag }) => mandatory && documentTag === undefined)
      .map((document) => ({ kind: 'document', document, text: document.type }) as const),
  ];
}

function fieldBlockers(
  part: Part,
  labels: Readonly<Record<string, string>>,
  values: object,
  wrong: FormErrors,
): Blocker[] {
  const typed = new Map(Object.entries(values));
  return Object.entries(labels)
    .filter(([field]) => field in wrong)
    .map(([field, label]) => {
      const text = typed.get(field) === '' ? label : `${label} (to correct)`;
      return { kind: 'field', part, field, text };
    });
}
