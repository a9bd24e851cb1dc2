import { statusTraits } from '#contract/applications/lifecycle.ts';
import type { QueueRow } from '#contract/desk/schema.ts';
import classes from '#web/desk/desk.module.css';
import { handFocusOn } from '#web/ui/focus/hand-focus-on.ts';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { officerName, TwoLines } from './queue-cells.tsx';

/** What taking and releasing a case needs. */
export interface HolderContext {
  readonly me: string;
  /** Takes an unassigned case, or releases it. */
  readonly onHold: (row: QueueRow) => void;
  /** The cases with which that is under way. */
  readonly holding: readonly string[];
}

type HolderProps = HolderContext & { readonly row: QueueRow };

/** Who has it, with the way to take it or to release it, and who gave the first of two approvals. */
export function HolderCell(props: HolderProps) {
  const { row, me } = props;
  return (
    <div className={classes.holder}>
      <div>
        <TwoLines below={firstApproval(row, me)}>
          <span
            className={classes.holderName}
            title={row.holder?.name}
            data-unassigned={row.holder === null || undefined}
          >
            {officerName(row.holder, me)}
          </span>
        </TwoLines>
      </div>
      <HoldButton {...props} />
    </div>
  );
}

/** Who gave the first of two approvals, in words; null where there is none. */
function firstApproval({ firstApprovalBy }: QueueRow, me: string): string | null {
  return firstApprovalBy === null ? null : `first approval by ${officerName(firstApprovalBy, me)}`;
}

/** From a button that goes, such as 'Take' where a colleague was faster, to the case of its row. */
const toCase = handFocusOn('tr, li', (row) => row.querySelector<HTMLElement>('[data-case]')?.focus());

/** Takes the case and starts its review, or releases it. */
export function HoldButton({ row, me, onHold, holding, large = false }: HolderProps & { readonly large?: boolean }) {
  const { holder, firstApprovalBy, status, client, invoiceNumber } = row;
  const mine = holder?.tag === me;
  // Another officer's, or one that waits for another officer than the one who looks.
  if (!statusTraits[status].undecided || (holder === null ? firstApprovalBy?.tag === me : !mine)) return null;
  const word = mine ? 'Release' : 'Take';
  return (
    <WaitingButton
      variant="default"
      size={large ? 'sm' : 'compact-sm'}
      aria-label={`${word} ${client}, invoice ${invoiceNumber}`}
      busy={holding.includes(row.tag)}
      ref={toCase}
      onClick={() => onHold(row)}
    >
      {word}
    </WaitingButton>
  );
}
