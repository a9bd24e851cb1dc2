import { Kysely, PostgresDialect } from 'kysely';
import type { PoolClient } from 'pg';
import type { Tables } from '#server/platform/tables.ts';

/** The query builder on one connection that somebody else holds, for what goes past it on the same one. */
export function queriesOn(client: PoolClient): Kysely<Tables> {
  const borrowed = { query: client.query.bind(client), release: () => undefined };
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { options: {}, connect: async () => borrowed, end: async () => undefined } }),
  });
}
