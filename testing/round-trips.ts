import { queryChannel, type SentQuery } from '#server/observability/query-channel.ts';

/**
 * Runs work and counts its round trips to PostgreSQL: everything sent before a reply counts as one, and everything sent
 * after that reply as the next. Nothing else may use a database meanwhile.
 */
export async function countRoundTrips<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly roundTrips: number }> {
  let [sent, answered] = [0, 0];
  const count = (message: unknown): void => {
    const { outcome } = message as SentQuery; // the message on the diagnostics channel
    const trip = answered + 1;
    sent = Math.max(sent, trip);
    const note = (): void => {
      answered = Math.max(answered, trip);
    };
    outcome.then(note, note);
  };
  queryChannel.subscribe(count);
  try {
    return { result: await work(), roundTrips: sent };
  } finally {
    queryChannel.unsubscribe(count);
  }
}
