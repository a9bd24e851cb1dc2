import { channel } from 'node:diagnostics_channel';

/** A statement that is about to be sent, in the context of whoever asks for it. */
export interface SentQuery {
  readonly text: string;
  /** Settles when PostgreSQL has answered; never unhandled. */
  readonly outcome: Promise<unknown>;
}

/** Whoever wants to know of each statement listens here (observability/tracing.ts); where nobody does, it costs nothing. */
export const queryChannel = channel('kasente:query');

/** Tells of a statement whose outcome is at hand, and does not go unhandled. */
export function tellQuery(text: string, outcome: Promise<unknown>): void {
  queryChannel.publish({ text, outcome } satisfies SentQuery);
}
