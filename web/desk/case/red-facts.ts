import { counted } from '#contract/counts.ts';
import { type CaseReply, type Flag, flagKinds } from '#contract/desk/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { sayLate } from '#contract/time/calendar.ts';

/** The kinds of red facts of a case. */
export type RedFactKind = 'flag' | 'overdue' | 'settledLate' | 'aboveLimit' | 'pastSla';

export interface RedFact {
  readonly kind: RedFactKind;
  /** Unique among the facts of its case. */
  readonly key: string;
  /** The fact in words, for the approve dialog. */
  readonly text: string;
}

/** The parts of a case that red facts depend on. */
export type JudgedCase = Pick<CaseReply, 'flags' | 'history' | 'exposure' | 'clock'>;

/**
 * The facts against approving a case, strongest first. Both the facts panel, which shows them in red, and the approve
 * dialog use this list, so that neither leaves one out. `minutesLeft` is the SLA time left now; null if the clock is
 * not running.
 */
export function redFactsOf(
  { flags, history, exposure, clock }: JudgedCase,
  minutesLeft: number | null,
): readonly RedFact[] {
  const open = flags.filter(({ acknowledged }) => acknowledged === null);
  const facts: RedFact[] = open.map((flag) => ({ kind: 'flag', key: keyOfFlag(flag), text: sayFlag(flag) }));
  const add = (kind: RedFactKind, text: string): void => {
    facts.push({ kind, key: kind, text });
  };
  if (history.overdue > 0) add('overdue', `${counted(history.overdue, 'advance')} overdue now`);
  const above = minorOf(exposure.outstanding) + minorOf(exposure.submitted) - minorOf(exposure.limit);
  if (above > 0) add('aboveLimit', `${exposure.currency} ${formatAmount(above)} above the client's limit`);
  if (history.settledLate > 0) add('settledLate', `${counted(history.settledLate, 'advance')} paid back late`);
  if (minutesLeft !== null && minutesLeft < 0) add('pastSla', sayLate(clock.targetMinutes));
  return facts;
}

/** A key for a flag, unique within its case. */
export function keyOfFlag({ kind, other, fact }: Flag): string {
  return `${kind} ${other?.tag ?? fact ?? ''}`;
}

function sayFlag({ kind, other, fact }: Flag): string {
  if (other === null) return `${flagKinds[kind]}: ${fact ?? ''}`;
  return `Possible duplicate of ${other.invoiceNumber}, ${other.client}: ${lowerFirst(flagKinds[kind])}`;
}

/** The server's amounts have at most two decimals. */
function minorOf(amount: number): number {
  return toMinor(amount) ?? 0;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
