/** A message as a provider gets it: whole and readable, for as long as the attempt takes. */
export interface Letter {
  /** The message's own name, the same at every attempt. */
  readonly tag: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly writtenAt: Date;
}

/**
 * What became of an attempt (docs/decisions/0004-outbox.md). `refused`: the provider certainly does not have the
 * message; `forGood` where it names the recipient as the reason, `loginRefused` where it does not let us in, so that every
 * message waits until somebody mends the settings. `unknown`: it was handed over and no answer came.
 */
export type Outcome =
  | { readonly result: 'accepted' }
  | { readonly result: 'refused'; readonly reason: string; readonly forGood: boolean; readonly loginRefused?: true }
  | { readonly result: 'unknown'; readonly reason: string };

/**
 * Records that the message is about to be handed over. False where it must not be: it has expired by now, or another
 * worker has taken it.
 */
export type HandOver = () => Promise<boolean>;

/** Who carries messages of one channel. It asks `handOver` just before the first byte that could be accepted. */
export interface Provider {
  send(letter: Letter, handOver: HandOver): Promise<Outcome>;
}

/** The provider does not have the message; another attempt may fare better. */
export function refused(reason: string, forGood = false): Outcome {
  return { result: 'refused', reason: withoutSecrets(reason), forGood };
}

/** The provider does not let us in. */
export function loginRefused(reason: string): Outcome {
  return { result: 'refused', reason: withoutSecrets(reason), forGood: false, loginRefused: true };
}

/** Nobody can tell whether the provider has the message. */
export function unknown(reason: string): Outcome {
  return { result: 'unknown', reason: withoutSecrets(reason) };
}

/** What an attempt that broke comes to: only one that had been handed over may have arrived. */
export function broken(error: unknown, handedOver: boolean): Outcome {
  const reason = error instanceof Error ? error.message : String(error);
  return handedOver ? unknown(reason) : refused(reason);
}

const LONGEST_REASON = 200;

/** A reason is kept and logged, and a provider may quote what it refuses: five digits may be a code, long runs a link's token. */
function withoutSecrets(reason: string): string {
  return reason
    .replaceAll(/(?<!\d)\d{5}(?!\d)/g, '#####')
    .replaceAll(/[\w+/=-]{30,}/g, '[…]')
    .slice(0, LONGEST_REASON);
}
