import type { CaseReply } from '#contract/desk/schema.ts';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import type { CaseAct } from '#web/desk/desk.api.ts';
import type { Sender } from '#web/ui/forms/action-dialog.tsx';

/** A case and when it was read. */
export interface ReadCase {
  readonly subject: CaseReply;
  /** When the server answered, in milliseconds since 1970. */
  readonly readAt: number;
}

/** The props of a case's dialogs. */
export interface DialogProps extends ReadCase {
  /** The types of document that can be requested from the client; undefined while they load. */
  readonly documentTypes: readonly Pick<SupportingDocument, 'typeId' | 'type'>[] | undefined;
  readonly onClose: () => void;
  readonly sender: Sender<CaseAct, unknown>;
}
