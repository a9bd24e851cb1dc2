import { queryChannel, type SentQuery } from '#server/observability/query-channel.ts';

/**
 * Does work and counts how often it waited for PostgreSQL: what is sent before anything is answered is one round trip, whatever is sent
 * after the first answer the next. Nothing else may work on a database meanwhile.
 */
export async function countRoundTrips<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly roundTrips: number }> {
  let [sent, answered] = [0, 0];
  const count = (message: unknown): void => {
    const { outcome } = message as SentQuery; // what the channel is for
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
