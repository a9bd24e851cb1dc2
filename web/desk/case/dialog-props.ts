import type { CaseReply } from '#contract/desk/schema.ts';
import type { CaseAct } from '#web/desk/desk.api.ts';
import type { Sender } from '#web/ui/forms/action-dialog.tsx';

/** The props of a case's dialogs. */
export interface DialogProps {
  readonly subject: CaseReply;
  /** When the server answered, in milliseconds since 1970. */
  readonly readAt: number;
  readonly onClose: () => void;
  readonly sender: Sender<CaseAct, unknown>;
}
