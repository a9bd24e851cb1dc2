/** A message as a provider receives it: unsealed, and only for the duration of the attempt. */
export interface Letter {
  /** The message's id, the same in every attempt. */
  readonly tag: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly writtenAt: Date;
}

/**
 * The outcome of an attempt (docs/decisions/0004-outbox.md). `refused`: the provider certainly does not have the
 * message; `forGood` if the recipient is the reason; `loginRefused` if our login is, so that every message waits for
 * the operator. `unknown`: it was handed over, and no reply came.
 */
export type Outcome =
  | { readonly result: 'accepted' }
  | { readonly result: 'refused'; readonly reason: string; readonly forGood: boolean; readonly loginRefused?: true }
  | { readonly result: 'unknown'; readonly reason: string };

/**
 * Records that the message is about to be handed over. Returns false if it must not be, because it has expired or
 * another worker has claimed it.
 */
export type HandOver = () => Promise<boolean>;

/**
 * The provider of one channel. It calls `handOver` just before sending the first byte that could make the provider
 * accept the message.
 */
export interface Provider {
  send(letter: Letter, handOver: HandOver): Promise<Outcome>;
}

/** The provider does not have the message; another attempt may succeed. */
export function refused(reason: string, forGood = false): Outcome {
  return { result: 'refused', reason: withoutSecrets(reason), forGood };
}

/** The provider refuses our login. */
export function loginRefused(reason: string): Outcome {
  return { result: 'refused', reason: withoutSecrets(reason), forGood: false, loginRefused: true };
}

/** It is unknown whether the provider has the message. */
export function unknown(reason: string): Outcome {
  return { result: 'unknown', reason: withoutSecrets(reason) };
}

/** The outcome of an attempt that failed with an error: only a message that was handed over may have arrived. */
export function broken(error: unknown, handedOver: boolean): Outcome {
  const reason = error instanceof Error ? error.message : String(error);
  return handedOver ? unknown(reason) : refused(reason);
}

const LONGEST_REASON = 200;

/**
 * Removes secrets from a reason, which is stored and logged. A provider may quote the message: five digits may be a
 * code, a long run of characters a link's token.
 */
function withoutSecrets(reason: string): string {
  return reason
    .replaceAll(/(?<!\d)\d{5}(?!\d)/g, '#####')
    .replaceAll(/[\w+/=-]{30,}/g, '[…]')
    .slice(0, LONGEST_REASON);
}
