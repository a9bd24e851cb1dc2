import { statusTraits } from '#contract/applications/lifecycle.ts';
import type { QueueRow } from '#contract/desk/schema.ts';
import classes from '#web/desk/desk.module.css';
import { handFocusOn } from '#web/ui/focus/hand-focus-on.ts';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { officerName, TwoLines } from './queue-cells.tsx';

/** The context needed to take or release a case. */
export interface AssigneeContext {
  readonly me: string;
  /** Takes an unassigned case, or releases it. */
  readonly onAssign: (row: QueueRow) => void;
  /** The cases being taken or released. */
  readonly assigning: readonly string[];
}

type AssigneeProps = AssigneeContext & { readonly row: QueueRow };

/** The assignee, a button to take or release the case, and who gave the first of two approvals. */
export function AssigneeCell(props: AssigneeProps) {
  const { row, me } = props;
  return (
    <div className={classes.assignee}>
      <div>
        <TwoLines below={firstApproval(row, me)}>
          <span
            className={classes.assigneeName}
            title={row.holder?.name}
            data-unassigned={row.holder === null || undefined}
          >
            {officerName(row.holder, me)}
          </span>
        </TwoLines>
      </div>
      <AssignButton {...props} />
    </div>
  );
}

/** Who gave the first of two approvals, in words; null if nobody did. */
function firstApproval({ firstApprovalBy }: QueueRow, me: string): string | null {
  return firstApprovalBy === null ? null : `first approval by ${officerName(firstApprovalBy, me)}`;
}

/** When a button disappears, such as 'Take' because a colleague was faster, moves the focus to its row's case. */
const toCase = handFocusOn('tr, li', (row) => row.querySelector<HTMLElement>('[data-case]')?.focus());

/** A button that takes the case and starts its review, or releases it. */
function AssignButton({ row, me, ...context }: AssigneeProps) {
  const { holder, firstApprovalBy, status, client, invoiceNumber } = row;
  const mine = holder?.tag === me;
  // The case is another officer's, or waits for a second officer.
  if (!statusTraits[status].undecided || (holder === null ? firstApprovalBy?.tag === me : !mine)) return null;
  const word = mine ? 'Release' : 'Take';
  return (
    <WaitingButton
      variant="default"
      size="compact-sm"
      aria-label={`${word} ${client}, invoice ${invoiceNumber}`}
      busy={context.assigning.includes(row.tag)}
      ref={toCase}
      onClick={() => context.onAssign(row)}
    >
      {word}
    </WaitingButton>
  );
}
