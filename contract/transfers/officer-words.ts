import { sayMoment } from '#contract/time/calendar.ts';
import { nextSteps } from './next-steps.ts';
import { refusalWords } from './refusals.ts';
import type { ShownTransfer } from './schema.ts';

/** A time for people: '10:02' within the hour, else '10:02 on Mon 23 Nov'. */
function sayTime(at: string, now: Date): string {
  return sayMoment(new Date(at), now).replace(/ today$/, '');
}

/** The text for an officer about a payout over a rail, and what to do if it was refused. */
export function sayToOfficer(transfer: ShownTransfer, now: Date): string {
  if (transfer.file !== null) return sayOfFile(transfer, transfer.file, now);
  const { part } = transfer;
  return `${part === null ? '' : `Part ${part.number} of ${part.of}. `}${sayOfProvider(transfer, now)}`;
}

function sayOfFile(
  { state, rail, releasedAt, providerReference, refusal, isHeld }: ShownTransfer,
  { reference, batch, sentAt }: NonNullable<ShownTransfer['file']>,
  now: Date,
): string {
  if (state === 'succeeded') return `Paid out, ${rail} ${providerReference}`;
  if (state === 'reconciled') return sayPaidByWord(rail, providerReference);
  if (batch === null || sentAt === null) {
    if (state === 'failed') return 'Cancelled before it was in a file. Prepare the payout again';
    if (isHeld) return `Left out of files: ${OBJECTED}. Cancel this payout`;
    return `Released at ${sayTime(releasedAt, now)}: waits for the next batch file`;
  }
  if (state === 'failed')
    return `Not paid by batch ${batch}: ${rail} ${refusalWords[refusal ?? 'other'].means}. Prepare the payout again`;
  const inBatch = `In batch ${batch} for the bank since ${sayTime(sentAt, now)}, as ${reference}`;
  return isHeld ? `${inBatch}. Ask the bank to stop it: ${OBJECTED}` : inBatch;
}

/** Why a payout is held. */
const OBJECTED = 'its account was frozen, replaced or checked again';

/** The text for a transfer that two officers ended. */
function sayPaidByWord(rail: string, providerReference: string | null): string {
  return `Paid out, ${rail} ${providerReference}. Two officers confirmed it`;
}

function sayOfProvider(transfer: ShownTransfer, now: Date): string {
  const { state, rail, releasedAt, nextAskAt, providerReference, refusal, isHeld } = transfer;
  const since = `On its way since ${sayTime(releasedAt, now)}`;
  const held = isHeld ? `. We do not send it again: ${OBJECTED}` : '';
  switch (state) {
    case 'released':
      return isHeld
        ? `Not sent: ${OBJECTED}. Two officers stop it under Payouts`
        : `${since}: we are asking ${rail} to pay it`;
    case 'sent':
      return `${since}: ${rail} has taken it${held}`;
    case 'unknown': {
      const again = nextAskAt === null ? '' : ` at ${sayTime(nextAskAt, now)}`;
      if (refusal !== null)
        return `${rail} ${refusalWords[refusal].means}. We make sure that it did not pay all the same, and ask again${again}`;
      return `${since}: ${rail} does not say whether it is paid. We ask again${again}${held}`;
    }
    case 'succeeded':
      return `Paid out, ${rail} ${providerReference}`;
    case 'failed': {
      const why = refusal ?? 'other';
      return `Not paid: ${rail} ${refusalWords[why].means}. ${nextSteps[why]}`;
    }
    case 'reconciled':
      return sayPaidByWord(rail, providerReference);
  }
}
