import { readFile } from 'node:fs/promises';
import { openWitness } from '#server/audit/witness.ts';
import { type Config, ConfigError } from '#server/config/config.ts';
import { StartError } from '#server/installation/connect.ts';
import { findWebFault } from '#server/responses/pages.ts';

/**
 * Checks the settings that would otherwise fail only at their first use, before the start touches the database. A
 * bucket or a database that is away is no fault of the settings: it may come back. Throws {@link ConfigError} or
 * {@link StartError}.
 */
export async function refuseUnusable(config: Config): Promise<void> {
  const webFault = config.production ? await findWebFault() : undefined;
  if (webFault !== undefined) throw new StartError(webFault);
  await refuseUnreadableCertificates('DATABASE_URL', config.databaseUrl);
  await refuseUnreadableCertificates('DATABASE_OWNER_URL', config.databaseOwnerUrl);
  await refuseMissingCredentials('STORAGE_URL', config.storageUrl);
  await refuseMissingCredentials('AUDIT_WITNESS', config.auditWitness);
  await refuseUnwritableWitness(config);
}

/** Checks the files that a database's URL names. */
async function refuseUnreadableCertificates(setting: string, databaseUrl: string | undefined): Promise<void> {
  if (databaseUrl === undefined) return;
  const { searchParams } = new URL(databaseUrl);
  for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = searchParams.get(parameter);
    if (path === null) continue;
    await readFile(path).catch((error: unknown) => {
      throw new ConfigError(
        `${setting}: its ${parameter} must be a file that this user may read (${reasonOf(error)}).`,
      );
    });
  }
}

async function refuseMissingCredentials(setting: string, place: string | undefined): Promise<void> {
  if (place === undefined || !place.startsWith('s3:')) return;
  // Large, so it is loaded only if there is a bucket (docs/decisions/0028-benches.md).
  const { findCredentials } = await import('#server/files/files-on-s3.ts');
  await findCredentials(new URL(place)).catch((error: unknown) => {
    throw new ConfigError(
      `${setting} names a bucket without a key (${reasonOf(error)}). Write s3://key:secret@bucket/prefix, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    );
  });
}

async function refuseUnwritableWitness({ auditWitness }: Config): Promise<void> {
  if (auditWitness === undefined) return;
  const witness = await openWitness(auditWitness);
  await witness.prepare().catch((error: unknown) => {
    throw new ConfigError(
      `AUDIT_WITNESS must be a file that this user may write to, in a folder that exists; ${auditWitness} is not (${reasonOf(error)}).`,
    );
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
