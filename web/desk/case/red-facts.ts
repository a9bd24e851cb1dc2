import { counted } from '#contract/counts.ts';
import { type CaseReply, type Flag, flagKinds } from '#contract/desk/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { sayLate } from '#contract/time/calendar.ts';

/** The red facts of a case. */
export type RedFactKind = 'flag' | 'overdue' | 'settledLate' | 'aboveLimit' | 'pastSla';

export interface RedFact {
  readonly kind: RedFactKind;
  /** Tells it from the others of its case. */
  readonly key: string;
  /** The fact in words, for the approve dialog. */
  readonly text: string;
}

/** The parts of a case that red facts depend on. */
export type JudgedCase = Pick<CaseReply, 'flags' | 'history' | 'exposure' | 'clock'>;

/**
 * The facts against approving a case, strongest first. The facts show them in red and the approve dialog repeats them,
 * both from this list, so that neither leaves one out. `minutesLeft` is what the SLA leaves now; null if no time counts.
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

/** Tells a flag from the others of its case. */
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
