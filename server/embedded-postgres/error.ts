/** Why the embedded database did not start or went away. The message is one sentence that a person can act on. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
