import type { Generated } from 'kysely';

/** Ties a database, a store and a secret together; see tables.ts. */
export interface InstallationTables {
  installation: { only_one: Generated<boolean>; tag: string; secret_check: Buffer };
}
