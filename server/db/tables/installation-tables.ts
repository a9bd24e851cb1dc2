import type { Generated } from 'kysely';

/** What says that a database, a store and a secret belong together, as TypeScript sees it; see tables.ts. */
export interface InstallationTables {
  installation: { only_one: Generated<boolean>; tag: string; secret_check: Buffer };
}
