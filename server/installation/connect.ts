import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '#server/config/config.ts';
import { hostAndDatabase } from '#server/config/database-address.ts';
import { findUnfitPooler } from '#server/db/connect/pooler-probe.ts';
import { type ConnectionSettings, type OpenDatabase, openDatabase } from '#server/db/database.ts';
import type { AwayReport } from '#server/db/retrying-pool.ts';
import {
  findExcess,
  findOwnership,
  howToMakeServerRole,
  identify,
  loginOf,
  prepareServerRole,
  renewPassword,
  SERVER_ROLE,
  type ServerLogin,
  serverLogin,
  urlFor,
} from '#server/db/roles/server-role.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { documentsFolder } from '#server/machine/data-folder.ts';
import { codeOf } from '#server/machine/error-codes.ts';
import type { Log } from '#server/observability/logging.ts';
import { secretPath } from '#server/secrets/secret-file.ts';

/** Why the server or a tool can't start. The message says what to do. */
export class StartError extends Error {}

/** `server_version_num` of PostgreSQL 15. */
const OLDEST_VERSION = 150_000;

/** How this process connects to PostgreSQL. */
interface Place {
  /** As the owner of the tables. */
  readonly owner: ConnectionSettings;
  /** As the server's own role. */
  readonly server: { readonly settings: ConnectionSettings; readonly login: ServerLogin };
  readonly open: (settings: ConnectionSettings) => OpenDatabase;
  readonly release: () => Promise<void>;
}

/** How a platform is opened. */
export interface Opening {
  /** Checks the database before anything in it is changed. Throws if it must not be used. */
  readonly inspect?: (owner: OpenDatabase) => Promise<void>;
  /**
   * The server's work as the owner of the tables. Afterwards, connections use the server's own role. If absent, we join
   * the embedded database of a running server.
   */
  readonly prepare?: (owner: OpenDatabase) => Promise<void>;
  /** Only a restore may start with an empty database beside existing documents or a secret. */
  readonly isRestore?: boolean;
  /** Uses only what exists: creates no database, folder or secret. */
  readonly isTool?: boolean;
}

/**
 * Connects to the PostgreSQL at `DATABASE_URL`, as the owner of the tables, or starts the embedded one in the data
 * folder, which tools may also join. `onLost` is called when the embedded one goes away for good. Throws {@link
 * StartError} with everything closed again.
 */
export async function connectDatabase(
  config: Config,
  log: Log,
  onLost: (error: Error) => void,
  opening: Opening = {},
): Promise<OpenDatabase> {
  const { inspect, prepare } = opening;
  const place =
    config.databaseUrl === undefined ? await openEmbedded(config, log, onLost, opening) : remotePlace(config, log);
  let opened = place.open(place.owner);
  const close = async (): Promise<void> => {
    await opened.close();
    await place.release();
  };
  try {
    await reach(config, opened);
    await refuseOtherOwner(config, opened);
    await inspect?.(opened);
    if (prepare !== undefined) {
      await prepare(opened);
      opened = await enterServerRole(place, opened, config, log);
    }
    return { ...opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function reach(config: Config, opened: OpenDatabase): Promise<void> {
  try {
    await refuseOldVersion(opened);
    const unfit = config.databaseUrl === undefined ? undefined : await findUnfitPooler(opened.pool);
    if (unfit !== undefined) throw new StartError(unfit);
  } catch (error) {
    if (error instanceof StartError || config.databaseUrl === undefined) throw error;
    throw unreachable(config.databaseOwnerUrl ?? config.databaseUrl, ownerSetting(config), error);
  }
}

/** The setting that has the login of the tables' owner. */
function ownerSetting({ databaseOwnerUrl }: Config): string {
  return databaseOwnerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
}

/** Throws unless the role owns the tables, because migrations by another role would fail halfway through the start. */
async function refuseOtherOwner(config: Config, { db }: OpenDatabase): Promise<void> {
  const { role, database, owner, mayOwn, mayCreate } = await findOwnership(db);
  const names = `${ownerSetting(config)} names the role "${role}"`;
  if (owner !== null && !mayOwn) {
    throw new StartError(
      `${names}, but "${owner}" owns the tables of this database. Name "${owner}" in DATABASE_OWNER_URL, and the server's own role in DATABASE_URL.`,
    );
  }
  if (owner === null && !mayCreate) {
    throw new StartError(
      `${names}, which may not create tables in the database "${database}". Name the owner of the database, or have an administrator run: alter database "${database}" owner to "${role}".`,
    );
  }
}

/**
 * Switches from the owner's connections to the server's role. Throws {@link StartError} if `DATABASE_URL` names a role
 * that can't be used. If we should create the role but can't, the server works as the owner, and logs what to do.
 */
async function enterServerRole(place: Place, owner: OpenDatabase, config: Config, log: Log): Promise<OpenDatabase> {
  const { settings, login } = place.server;
  await prepareServerRole(owner.db, login);
  if (config.databaseOwnerUrl !== undefined) {
    await refuseWrongServerLogin(place, owner, config);
    await owner.close();
    return place.open(settings);
  }
  let excess = await excessOf(place);
  if (excess === REFUSED) {
    await renewPassword(owner.db, login);
    excess = await excessOf(place);
  }
  if (excess === undefined) {
    await owner.close();
    return place.open(settings);
  }
  const problem = `${excess}: ${howToMakeServerRole(login)}`;
  log[config.production ? 'error' : 'warn']({ problem }, 'the server works as the owner of its tables');
  return owner;
}

async function refuseWrongServerLogin(place: Place, owner: OpenDatabase, config: Config): Promise<void> {
  const { databaseUrl = '' } = config;
  const { role } = place.server.login;
  const server = place.open(place.server.settings);
  try {
    const [here, there] = [await identify(owner.db), await identify(server.db)];
    if (here !== there) {
      throw new StartError(
        'DATABASE_URL and DATABASE_OWNER_URL name different databases. Name the same host and database in both.',
      );
    }
    const excess = await findExcess(server.db);
    if (excess !== undefined)
      throw new StartError(`DATABASE_URL: ${excess}: ${howToMakeServerRole(place.server.login)}.`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (!isLoginRefused(error)) throw unreachable(databaseUrl, 'DATABASE_URL', error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `DATABASE_URL: the server's role "${role}" cannot log in to ${hostAndDatabase(databaseUrl)} (${reason}). Check its name and password in DATABASE_URL.`,
    );
  } finally {
    await server.close();
  }
}

const REFUSED = 'the server has no role of its own';

/** Describes excess rights of the server's login; {@link REFUSED} if it can't log in. */
async function excessOf({ server, open }: Place): Promise<string | undefined> {
  const opened = open(server.settings);
  try {
    return await findExcess(opened.db);
  } catch (error) {
    if (isLoginRefused(error)) return REFUSED;
    throw error;
  } finally {
    await opened.close();
  }
}

/**
 * Authentication (28), missing rights on the database or tables (42501), a pooler that doesn't know the login (08P01).
 */
function isLoginRefused(error: unknown): boolean {
  return /^(28...|42501|08P01)$/.test(findCode(error) ?? '');
}

function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return codeOf(error) ?? findCode(error.cause);
}

async function openEmbedded(
  config: Config,
  log: Log,
  onLost: (error: Error) => void,
  { isRestore = false, isTool = false, prepare }: Opening,
): Promise<Place> {
  const dataDir = resolve(config.dataDir);
  if (isTool && !existsSync(dataDir)) throw new StartError(noDatabaseIn(dataDir));
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: (line) => log.warn(line),
      mayJoin: prepare === undefined,
      onExit: onLost,
      refuseNew: async () => {
        if (isTool) return noDatabaseIn(dataDir);
        return isRestore ? undefined : findLostDatabase(dataDir);
      },
    });
    const { connection } = postgres;
    return {
      owner: connection,
      server: {
        settings: { ...connection, user: SERVER_ROLE },
        login: { role: SERVER_ROLE, password: undefined },
      },
      open: (settings) => openDatabase(settings, reportTo(log)),
      release: () => postgres.stop(),
    };
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? new StartError(error.message) : error;
  }
}

function remotePlace({ databaseUrl = '', databaseOwnerUrl }: Config, log: Log): Place {
  const ownerUrl = databaseOwnerUrl ?? databaseUrl;
  const login = databaseOwnerUrl === undefined ? serverLogin(ownerUrl) : loginOf(databaseUrl);
  const serverUrl = databaseOwnerUrl === undefined ? urlFor(ownerUrl, login) : databaseUrl;
  return {
    owner: { connectionString: ownerUrl },
    server: { settings: { connectionString: serverUrl }, login },
    open: (settings) => openDatabase(settings, reportTo(log), awayReport(log)),
    release: async () => undefined,
  };
}

function noDatabaseIn(dataDir: string): string {
  return `there is no database in ${dataDir}: name the one that the server uses with DATABASE_URL or DATA_DIR, or start the server first. Nothing was made.`;
}

/** Why no empty database may be created in a data folder: its other contents belong to a missing database. */
async function findLostDatabase(dataDir: string): Promise<string | undefined> {
  const documents = await readdir(documentsFolder(dataDir)).catch(() => []);
  const hasSecret = existsSync(secretPath(dataDir));
  if (documents.length === 0 && !hasSecret) return undefined;
  const left = documents.length > 0 ? 'documents' : 'a secret';
  return `the database is missing from ${dataDir}, where there ${documents.length > 0 ? 'are' : 'is'} ${left} of one: put its folder postgres back, or restore a backup with npm run restore -- <the backup’s folder> --beside-documents, or set DATA_DIR to an empty folder to begin with an empty database. Nothing was made.`;
}

function awayReport(log: Log): AwayReport {
  return {
    away: (reason) => log.error({ reason }, 'the database is away'),
    back: (seconds) => log.warn({ seconds }, 'the database is back'),
  };
}

/** Logs only the message, because the driver's error contains the whole connection, including secrets. */
function reportTo(log: Log): (error: Error) => void {
  return ({ message }) => log.warn({ reason: message }, 'a database connection broke');
}

async function refuseOldVersion({ db }: OpenDatabase): Promise<void> {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  );
  const version = rows[0]?.version ?? 0;
  if (version < OLDEST_VERSION) {
    throw new StartError(`DATABASE_URL names a PostgreSQL ${Math.floor(version / 10_000)}; Kasente needs 15 or later.`);
  }
}

/** The location, without user and password. */
function unreachable(databaseUrl: string, setting: string, error: unknown): StartError {
  const reason = error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);
  return new StartError(
    `the database ${hostAndDatabase(databaseUrl)} cannot be used (${reason}). Check that it runs and that ${setting} is right.`,
  );
}
