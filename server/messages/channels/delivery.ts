import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { JobOutcome } from '#server/jobs/jobs.ts';
import {
  type Claim,
  type ClaimedMessage,
  claimMessage,
  failMessage,
  markHandedOver,
  type Settlement,
  settleMessage,
} from '#server/messages/messages.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Outcome, Provider } from './provider.ts';

const DONE: JobOutcome = { done: true };

/**
 * One attempt to send a message: claims it, hands it to the provider and stores the outcome. Unless the provider
 * definitely refuses, at most one attempt ever gets as far as the hand-over (docs/decisions/0004-outbox.md).
 */
export async function deliverMessage(platform: Platform, provider: Provider, id: number): Promise<JobOutcome> {
  const claim: Claim = { id, claim: randomUUID() };
  const message = await claimMessage(platform.db, claim);
  if (message === undefined) return closeAbandoned(platform, id);
  const body = readBody(platform, message);
  if (body === undefined) {
    // Logged as an error at the first attempt, because only the operator can fix it.
    platform.log.error({ message: message.tag }, 'a message was sealed with another secret');
    return settle(platform, claim, message, unreadable);
  }
  if (hasExpired(platform, message)) return settle(platform, claim, message, expiredUnsent);
  const { tag, recipient: to, subject, createdAt: writtenAt } = message;
  const outcome = await provider.send({ tag, to, subject, body, writtenAt }, () =>
    markHandedOver(platform.db, claim, platform.clock.now()),
  );
  return settle(platform, claim, message, outcome);
}

/**
 * Not final: during a change of the secret another server may be able to read the message, or this one once a mistyped
 * secret is corrected.
 */
const unreadable: Outcome = { result: 'refused', reason: 'it was sealed with another secret', forGood: false };
const expiredUnsent: Outcome = { result: 'refused', reason: 'it expired', forGood: false };

/** Closes a message whose job came again because its worker died. After the hand-over the outcome is unknown. */
async function closeAbandoned({ db, log }: Platform, id: number): Promise<JobOutcome> {
  const reason = 'the server stopped after handing it over: it may have arrived';
  const tag = await failMessage(db, id, reason, 'handed over');
  if (tag !== undefined) log.error({ message: tag, reason }, 'a message may not have arrived');
  return DONE;
}

function readBody({ sealer }: Platform, { body }: ClaimedMessage): string | undefined {
  try {
    return body === null ? undefined : sealer.unseal(body);
  } catch {
    return undefined;
  }
}

function hasExpired({ clock }: Platform, { expiresAt }: ClaimedMessage): boolean {
  return expiresAt !== null && expiresAt <= clock.now();
}

/** Stores the outcome of an attempt. A message is retried only if the provider certainly does not have it. */
async function settle(
  platform: Platform,
  claim: Claim,
  message: ClaimedMessage,
  outcome: Outcome,
): Promise<JobOutcome> {
  const settlement = settlementOf(platform, message, outcome);
  const settled = await persistently(() => settleMessage(platform.db, claim, settlement));
  const { tag } = message;
  if (!settled) {
    platform.log.warn({ message: tag, outcome: outcome.result }, 'another worker took a message over');
    return DONE;
  }
  if (settlement.state === 'failed') {
    platform.log.error({ message: tag, reason: settlement.last_error }, 'a message was not sent');
  } else if (outcome.result === 'refused' && outcome.loginRefused === true) {
    platform.log.error({ message: tag, reason: outcome.reason }, 'the provider of messages refuses our login');
  } else {
    platform.log.info({ message: tag, state: settlement.state, ...reasonOf(outcome) }, 'a message was tried');
  }
  return settlement.state === 'queued' ? { done: false, reason: settlement.last_error } : DONE;
}

function reasonOf(outcome: Outcome): { reason?: string } {
  return outcome.result === 'accepted' ? {} : { reason: outcome.reason };
}

/**
 * The new state of a message. Its body is erased once it is no longer needed; outside production it is kept for the
 * development list.
 */
function settlementOf(platform: Platform, message: ClaimedMessage, outcome: Outcome): Settlement {
  const erased = platform.config.production ? { body: null } : {};
  switch (outcome.result) {
    case 'accepted':
      return { state: 'sent', sent_at: platform.clock.now(), last_error: null, ...erased };
    case 'unknown':
      return { state: 'failed', last_error: `${outcome.reason}: it may have arrived` };
    case 'refused':
      if (outcome.forGood) return { state: 'failed', last_error: outcome.reason };
      if (hasExpired(platform, message)) return { state: 'expired', ...erased };
      return { state: 'queued', handed_over_at: null, last_error: outcome.reason };
  }
}

const TRIES = 30;
const BETWEEN_TRIES_MS = 1_000;

/** Retries while the database restarts, because otherwise the provider's reply would be lost for good. */
async function persistently<T>(keep: () => Promise<T>): Promise<T> {
  for (let left = TRIES; left > 1; left -= 1) {
    try {
      return await keep();
    } catch {
      await wait(BETWEEN_TRIES_MS);
    }
  }
  return keep();
}
