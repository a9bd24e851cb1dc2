import { resolve } from 'node:path';
import { sql } from 'kysely';
import { appCommit } from '#server/config/build.ts';
import type { Config } from '#server/config/config.ts';
import { hostAndDatabase } from '#server/config/database-address.ts';
import type { Connection } from '#server/db/database.ts';
import { documentsFolder } from '#server/machine/data-folder.ts';
import { appVersion } from '#server/machine/version.ts';
import type { Platform } from '#server/platform/platform.ts';

/** The effective settings for people, without secrets. */

/** The database, and the login of tools and migrations, such as `db:5432/kasente as kasente`. */
export function describeDatabase({ databaseUrl, databaseOwnerUrl, dataDir }: Config): string {
  if (databaseUrl === undefined) return `${resolve(dataDir, 'postgres')} (embedded)`;
  const url = databaseOwnerUrl ?? databaseUrl;
  const user = /^[^:/]+:\/\/([^:@/?#]+)[^@/?#]*@/.exec(url)?.[1] ?? /[?&]user=([^&#]+)/.exec(url)?.[1];
  const socket = /[?&]host=([^&#]+)/.exec(url)?.[1];
  const where = socket === undefined ? '' : ` by ${decodeURIComponent(socket)}`;
  return `${hostAndDatabase(url)}${where}${user === undefined ? '' : ` as ${decodeURIComponent(user)}`}`;
}

/** The document store: a bucket with prefix and account, or a folder. */
export function describeStore({ storageUrl, dataDir }: Config): string {
  if (storageUrl === undefined) return documentsFolder(dataDir);
  const { hostname, pathname, searchParams } = new URL(storageUrl);
  const endpoint = searchParams.get('endpoint');
  return `s3://${hostname}${pathname}${endpoint === null ? '' : ` at ${new URL(endpoint).host}`}`;
}

/** The login and database of a connection. */
export async function describeConnection(db: Connection): Promise<{ role: string; name: string; postgres: string }> {
  const { rows } = await sql<{ role: string; name: string; postgres: string }>`select session_user as role,
    current_database() as name, split_part(current_setting('server_version'), ' ', 1) as postgres`.execute(db);
  return rows[0] ?? { role: '', name: '', postgres: '' };
}

/** One log line at the start: the effective settings. */
export async function reportInForce({ config, db, log }: Pick<Platform, 'config' | 'db' | 'log'>): Promise<void> {
  log.info(
    {
      version: appVersion,
      commit: appCommit,
      environment: config.production ? 'production' : 'development',
      publicUrl: config.publicUrl,
      database: { at: describeDatabase(config), ...(await describeConnection(db)) },
      store: describeStore(config),
      mail: describeMail(config),
      texts: describeTexts(config),
      proxy: describeProxy(config),
    },
    'in force',
  );
}

/** The mail server and the sender. */
export function describeMail({ smtp }: Config): string {
  return smtp === undefined ? 'none' : `${new URL(smtp.url).host} from ${smtp.from}`;
}

/** The SMS provider and the account. */
export function describeTexts({ sms }: Config): string {
  return sms === undefined ? 'none' : `${new URL(sms.url).host} as ${sms.username}, sender ${sms.sender ?? 'none'}`;
}

/** The proxies whose X-Forwarded-For is trusted. */
export function describeProxy({ trustProxy }: Config): string {
  if (trustProxy === false) return 'none';
  if (trustProxy === true) return 'everybody';
  if (typeof trustProxy === 'string') return trustProxy;
  let hops = 0;
  while (trustProxy('', hops)) hops += 1;
  return `${hops} in front`;
}
