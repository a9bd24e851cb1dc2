import { refusalWords } from './refusals.ts';
import type { ShownTransfer } from './schema.ts';

/** The text for the client; null once it is paid, which the timeline shows. */
export function sayToClient({ state, rail, to, refusal, part, isHeld }: ShownTransfer): string | null {
  if (state === 'succeeded' || state === 'reconciled') return null;
  if (state === 'released' && isHeld)
    return `We stopped this payment: the account ${to} was frozen or changed. We'll call you.`;
  if (state !== 'failed')
    return `${part === null ? 'Your money' : `Part ${part.number} of ${part.of} of your money`} is on its way to ${to}.`;
  const { means, clientNext } = refusalWords[refusal ?? 'other'];
  if (clientNext === null) return `We could not send it to ${to} yet. We'll try again and send you a text.`;
  return `We could not send it to ${to}: ${rail} ${means}. ${clientNext}.`;
}
