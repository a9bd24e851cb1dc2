/** Why the embedded database did not start or went away: its message is one sentence a person can act on. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
