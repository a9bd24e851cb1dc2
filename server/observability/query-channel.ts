import { channel } from 'node:diagnostics_channel';

/** A statement about to be sent, published in its caller's async context. */
export interface SentQuery {
  readonly text: string;
  /** Settles when PostgreSQL has replied. A rejection is already marked as handled. */
  readonly outcome: Promise<unknown>;
}

/** Publishes each statement (observability/tracing.ts subscribes). Costs nothing without subscribers. */
export const queryChannel = channel('kasente:query');

/** Publishes a statement with its outcome, which is marked as handled. */
export function publishQuery(text: string, outcome: Promise<unknown>): void {
  queryChannel.publish({ text, outcome } satisfies SentQuery);
}
