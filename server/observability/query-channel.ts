import { channel } from 'node:diagnostics_channel';

/** A statement about to be sent, in its caller's context. */
export interface SentQuery {
  readonly text: string;
  /** Settles when PostgreSQL has replied; never unhandled. */
  readonly outcome: Promise<unknown>;
}

/** Published for each statement (observability/tracing.ts subscribes); costs nothing without subscribers. */
export const queryChannel = channel('kasente:query');

/** Publishes a statement with its outcome, which is marked as handled. */
export function tellQuery(text: string, outcome: Promise<unknown>): void {
  queryChannel.publish({ text, outcome } satisfies SentQuery);
}
