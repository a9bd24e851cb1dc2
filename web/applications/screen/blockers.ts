import type { FormErrors } from '@mantine/form';
import type { Obstacle } from '#contract/applications/submission/submission.ts';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { type FailureCode, failures } from '#contract/errors.ts';
import { checkTyped, type Part, type Typed } from '#web/applications/draft/draft.ts';
import { emptyInvoice, invoiceLabels } from '#web/applications/invoice/invoice-values.ts';
import { applicationLabels, emptyApplication } from '#web/applications/terms/application-values.ts';
import { describeObstacle } from './use-obstacles.ts';

/** An obstacle to submitting, and where to correct it. */
export type Blocker =
  | { readonly kind: 'field'; readonly part: Part; readonly field: string; readonly text: string }
  | { readonly kind: 'client'; readonly text: string }
  | { readonly kind: 'document'; readonly document: SupportingDocument; readonly text: string };

interface Found {
  readonly wrong: Readonly<Record<Part, FormErrors>>;
  readonly documents: readonly SupportingDocument[];
  readonly obstacles: { readonly general: readonly Obstacle[]; readonly amount: Obstacle | undefined };
}

/** The missing or wrong things by name, in the order of the screen. Error messages show on their fields. */
export function findBlockers(typed: Typed, { wrong, documents, obstacles }: Found): Blocker[] {
  const amount = obstacles.amount && { amountAppliedFor: describeObstacle(obstacles.amount) };
  return [
    ...obstacles.general.map(
      ({ code }) => ({ kind: 'client', text: clientLabels[code] ?? failures[code].msg }) as const,
    ),
    ...fieldBlockers('invoice', invoiceLabels, typed.invoice, wrong.invoice),
    ...fieldBlockers('application', applicationLabels, typed.application, { ...amount, ...wrong.application }),
    ...documents
      .filter(({ mandatory, documentTag }) => mandatory && documentTag === undefined)
      .map((document) => ({ kind: 'document', document, text: document.type }) as const),
  ];
}

/** How many of the things that every application needs are done. */
export interface Done {
  readonly done: number;
  readonly total: number;
}

/** The fields that an empty form misses. */
const required = checkTyped({ invoice: emptyInvoice, application: emptyApplication() });

/**
 * Counts everything that the application needs, from the start. A mistake in an optional field is a blocker but not
 * counted, so that the count does not go back.
 */
export function countDone({ wrong, documents, obstacles }: Found): Done {
  const undone = { ...wrong.invoice, ...(obstacles.amount && { amountAppliedFor: true }), ...wrong.application };
  const fields = [...Object.keys(required.invoice), ...Object.keys(required.application)];
  const needed = documents.filter(({ mandatory }) => mandatory);
  return {
    done:
      fields.filter((field) => !(field in undone)).length +
      needed.filter(({ documentTag }) => documentTag !== undefined).length,
    total: fields.length + needed.length + obstacles.general.length,
  };
}

/** Short labels; the notice above the form says the rest. */
const clientLabels: Readonly<Partial<Record<FailureCode, string>>> = {
  OVERDUE_BLOCKS: 'Late payment',
  LIMIT_EXCEEDED: 'An advance within your funding limit',
  SUBMITTED_TOO_SOON: 'A pause after you withdrew it',
};

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
