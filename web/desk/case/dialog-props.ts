import type { CaseReply } from '#contract/desk/schema.ts';
import type { CaseAct } from '#web/desk/desk.api.ts';
import type { ApiFailure } from '#web/platform/api/api.ts';

/** What a dialog of a case is made of. */
export interface DialogProps {
  readonly subject: CaseReply;
  /** When the server answered, in milliseconds since 1970. */
  readonly readAt: number;
  readonly onClose: () => void;
  readonly onAct: (act: CaseAct) => void;
  readonly sending: boolean;
  /** Why the server refused it, as long as the dialog stays open. */
  readonly failure: ApiFailure | undefined;
}

/** The refusal's message, unless it belongs to one of these fields. */
export function general(failure: ApiFailure | undefined, ...fields: readonly string[]): string | undefined {
  return failure === undefined || fields.some((field) => failure.fields[field] !== undefined)
    ? undefined
    : failure.message;
}
