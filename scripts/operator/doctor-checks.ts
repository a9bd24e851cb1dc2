import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import { openWitness } from '#server/audit/witness.ts';
import type { Config } from '#server/config/config.ts';
import { type Connection, databaseTime, type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { findEnforcement } from '#server/db/roles/row-security.ts';
import {
  findExcess,
  howToMakeServerRole,
  identify,
  loginOf,
  serverLogin,
  urlFor,
} from '#server/db/roles/server-role.ts';
import { TEST_VIRUS } from '#server/files/sanitizing/test-virus.ts';
import { askScanner } from '#server/files/sanitizing/virus-scan.ts';
import { connectDatabase } from '#server/installation/connect.ts';
import { describeConnection, describeDatabase, describeMail, describeTexts } from '#server/installation/in-force.ts';
import { refuseAnotherSecret } from '#server/installation/installation.ts';
import { findNewer } from '#server/migrations/migrate.ts';
import { findProgress } from '#server/migrations/pending.ts';
import { compareSchemas, describeSchema, expectedSchema, nameParts } from '#server/migrations/schema.ts';
import { createLog } from '#server/observability/logging.ts';
import { findWebFault } from '#server/responses/pages.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { readSecret } from '#server/secrets/secret-file.ts';
import { lookAtProxy } from './doctor-proxy.ts';
import { lookAtRails } from './doctor-rails.ts';
import { lookAtStore } from './doctor-store.ts';

/** The checks of `npm run doctor`, which test each setting and change nothing, except for a temporary file in the store. */

/** The result of a check. */
export interface Seen {
  readonly state: 'right' | 'warning' | 'wrong' | 'not tried';
  readonly found: string;
  /** The remedy. */
  readonly todo?: string;
}
export type Finding = Seen & { readonly name: string };

/** The parts to check; `database` is undefined if it cannot be reached. */
export interface Ground {
  readonly config: Config;
  readonly database: OpenDatabase | undefined;
}

const WITHIN_MS = 15_000;
const CLOCK_WARNING_MS = 2_000;
const CLOCK_WRONG_MS = 30_000;
const MB = 1024 * 1024;
/** Room for the inbox of 60 uploads, with a margin. */
const ROOM_NEEDED_MB = 1024;
const ROOM_WANTED_MB = 5 * 1024;

const checks: Readonly<Record<string, (ground: Ground) => Promise<Seen>>> = {
  web: lookAtWeb,
  rights: onDatabase(lookAtRights),
  migrations: onDatabase(lookAtMigrations),
  secret: onDatabase(lookAtSecret),
  clock: onDatabase(lookAtClock),
  'time zone': onDatabase(lookAtTimeZone),
  store: lookAtStore,
  witness: lookAtWitness,
  'virus scan': lookAtVirusScan,
  mail: lookAtMail,
  texts: lookAtTexts,
  rails: lookAtRails,
  disk: lookAtDisk,
  proxy: ({ config }) => lookAtProxy(config),
};

/** Runs all checks in sequence; an error is a finding. */
export async function lookAtEverything(config: Config): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const opened = await connectDatabase(config, createLog('silent'), () => undefined, { isTool: true }).catch(
    (error: unknown) => {
      found.push({ name: 'database', ...failed(error), todo: 'nothing that needs it was tried' });
      return undefined;
    },
  );
  try {
    if (opened !== undefined) found.push({ name: 'database', ...(await describeOpened(config, opened)) });
    for (const [name, look] of Object.entries(checks)) {
      found.push({ name, ...(await look({ config, database: opened }).catch(failed)) });
    }
    return found;
  } finally {
    await opened?.close();
  }
}

function failed(error: unknown): Seen {
  return { state: 'wrong', found: error instanceof Error ? error.message || String(error) : String(error) };
}

function onDatabase(look: (database: OpenDatabase, config: Config) => Promise<Seen>) {
  return async ({ config, database }: Ground): Promise<Seen> =>
    database === undefined ? { state: 'not tried', found: 'the database cannot be reached' } : look(database, config);
}

async function describeOpened(config: Config, { db }: OpenDatabase): Promise<Seen> {
  const { role, name, postgres } = await describeConnection(db);
  return {
    state: 'right',
    found: `${describeDatabase(config)}: PostgreSQL ${postgres}, database ${name}, role ${role}`,
  };
}

async function lookAtWeb({ config: { production } }: Ground): Promise<Seen> {
  const fault = await findWebFault();
  if (fault === undefined) return { state: 'right', found: 'the web application is built from these sources' };
  if (!production) return { state: 'warning', found: fault, todo: 'npm start does it' };
  return { state: 'wrong', found: fault, todo: 'a server does not start before' };
}

async function lookAtMigrations({ db }: OpenDatabase): Promise<Seen> {
  const { pending, unknown, isEmpty } = await findProgress(db);
  if (unknown !== undefined) {
    const newer = await findNewer(db); // throws if this release does not know the database's migrations
    const todo = 'install that release here as well: the other tools of this one refuse its database';
    const found = `a newer release has run ${newer.join(', ')}, after which this one works, too`;
    return { state: 'warning', found, todo };
  }
  if (isEmpty) return { state: 'warning', found: 'the database is empty', todo: 'the first start fills it' };
  if (pending.length === 0) return lookAtSchema(db);
  const todo = 'back up, then start the server: it runs them';
  return { state: 'warning', found: `${pending.length} are pending, ${pending[0]} first`, todo };
}

async function lookAtSchema(db: Connection): Promise<Seen> {
  const { missing, altered, added } = compareSchemas(expectedSchema, await describeSchema(db));
  const different = [...altered, ...added];
  const todo = 'somebody changed it by hand: put it back as docs/upgrading.md says';
  if (missing.length > 0) return { state: 'wrong', found: `the schema lacks ${nameParts(missing)}`, todo };
  if (different.length === 0) return { state: 'right', found: 'all were run, and the schema is as they made it' };
  return { state: 'warning', found: `the schema differs: ${nameParts(different)}`, todo };
}

/** The login for calls: the server's or, if there is none, the owner's. */
async function lookAtRights(owner: OpenDatabase, config: Config): Promise<Seen> {
  if ((await findProgress(owner.db)).isEmpty)
    return { state: 'not tried', found: 'the first start makes the roles that it may make' };
  if (config.databaseUrl === undefined) return { state: 'right', found: 'the embedded database is Kasente’s own' };
  const { databaseUrl, databaseOwnerUrl } = config;
  const login = databaseOwnerUrl === undefined ? serverLogin(databaseUrl) : loginOf(databaseUrl);
  const url = databaseOwnerUrl === undefined ? urlFor(databaseUrl, login) : databaseUrl;
  const server = openDatabase({ connectionString: url }, () => undefined);
  try {
    if ((await identify(server.db)) !== (await identify(owner.db)))
      return {
        state: 'wrong',
        found: 'DATABASE_URL and DATABASE_OWNER_URL name different databases',
        todo: 'name one',
      };
    const problem = (await findExcess(server.db)) ?? (await findEnforcement(server.db)).problem;
    if (problem === undefined)
      return { state: 'right', found: `the server works as ${login.role}, which owns nothing` };
    return { state: 'wrong', found: problem, todo: howToMakeServerRole(login) };
  } catch (error) {
    const found = `the role ${login.role} cannot log in (${failed(error).found})`;
    if (databaseOwnerUrl !== undefined)
      return {
        state: 'wrong',
        found,
        todo: 'check its name and password in DATABASE_URL; a server does not start before',
      };
    const isWrong = config.production ? 'wrong' : 'warning';
    return {
      state: isWrong,
      found: `${found}: the server works as the owner of its tables`,
      todo: howToMakeServerRole(login),
    };
  } finally {
    await server.close();
  }
}

async function lookAtSecret({ db }: OpenDatabase, config: Config): Promise<Seen> {
  const secret = config.secretKey ?? (await readSecret(resolve(config.dataDir)));
  if (secret === undefined) {
    return {
      state: 'warning',
      found: 'there is none yet',
      todo: 'the first start makes one in the data folder; keep it',
    };
  }
  await refuseAnotherSecret(db, createSealer(secret, config.previousSecretKey), config.secretKeyLost);
  return {
    state: 'right',
    found: `that of this database${config.previousSecretKey === undefined ? '' : ', with the one before'}`,
  };
}

async function lookAtClock({ db }: OpenDatabase): Promise<Seen> {
  const before = Date.now();
  const theirs = await databaseTime(db);
  const off = Math.round(theirs - (before + Date.now()) / 2);
  const found = `the database’s clock is ${Math.abs(off)} ms ${off < 0 ? 'behind' : 'ahead of'} this machine’s`;
  const todo =
    'synchronise both with a time server (NTP): limits and codes follow the database’s, certificates this one’s';
  if (Math.abs(off) > CLOCK_WRONG_MS) return { state: 'wrong', found, todo };
  return Math.abs(off) > CLOCK_WARNING_MS ? { state: 'warning', found, todo } : { state: 'right', found };
}

/** Days are in Kampala's time zone, which both machines must know. */
async function lookAtTimeZone({ db }: OpenDatabase): Promise<Seen> {
  const { rows } = await sql<{ hours: number; zone: string }>`select current_setting('TimeZone') as zone,
    extract(hour from ('2026-01-01 00:00Z'::timestamptz at time zone 'Africa/Kampala'))::int as hours`.execute(db);
  const here = new Intl.DateTimeFormat('en', { timeZone: 'Africa/Kampala', hour: '2-digit', hourCycle: 'h23' });
  const isRight = rows[0]?.hours === 3 && here.format(new Date('2026-01-01T00:00:00Z')) === '03';
  const found = `the database is in ${rows[0]?.zone}, this machine in ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
  if (isRight) return { state: 'right', found: `${found}; both know Kampala` };
  return {
    state: 'wrong',
    found: `${found}; one does not know Africa/Kampala`,
    todo: 'install the time zones (tzdata)',
  };
}

async function lookAtWitness({ config: { auditWitness } }: Ground): Promise<Seen> {
  if (auditWitness === undefined) {
    const found = 'none: nobody can prove that the newest log entries were deleted';
    return { state: 'warning', found, todo: 'set AUDIT_WITNESS to a file on another machine, or a bucket' };
  }
  let seals = 0;
  for await (const _ of (await openWitness(auditWitness)).read(1)) seals += 1;
  return { state: 'right', found: `it can be read, and has ${seals} seals` };
}

async function lookAtVirusScan({ config: { clamavUrl } }: Ground): Promise<Seen> {
  if (clamavUrl === undefined) return { state: 'right', found: 'none is set: uploads are checked by Kasente alone' };
  const answer = await askScanner(clamavUrl, Readable.from([TEST_VIRUS]));
  if (answer.endsWith(' FOUND')) return { state: 'right', found: 'ClamAV finds the test file' };
  const todo = 'look whether its signatures are loaded (freshclam), and at its own log';
  return { state: 'wrong', found: `ClamAV said '${answer}' of the test file that it must find`, todo };
}

async function lookAtMail({ config }: Ground): Promise<Seen> {
  const { smtp } = config;
  if (smtp === undefined) return withoutMessages(config, 'emails', 'SMTP_URL');
  const transport = new SMTPTransport({ url: smtp.url });
  // As in server/messages/channels/smtp.ts, never sends a password unencrypted.
  const options = { requireTLS: transport.getAuth({}) !== false, ...transport.options };
  const limits = { connectionTimeout: WITHIN_MS, greetingTimeout: WITHIN_MS, socketTimeout: WITHIN_MS };
  await new SMTPTransport({ ...options, ...limits, logger: false, debug: false }).verify();
  return { state: 'right', found: `${describeMail(config)}: it lets us in` };
}

async function lookAtTexts({ config }: Ground): Promise<Seen> {
  const { sms } = config;
  if (sms === undefined) return withoutMessages(config, 'text messages', 'SMS_USERNAME and SMS_API_KEY');
  const url = new URL(`${sms.url.replace(/\/+$/, '')}/version1/user`);
  url.searchParams.set('username', sms.username);
  const headers = { apiKey: sms.apiKey, accept: 'application/json' };
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(WITHIN_MS) });
  if (!answer.ok) {
    await answer.body?.cancel();
    const todo = 'compare SMS_USERNAME and SMS_API_KEY with the provider’s page';
    return { state: 'wrong', found: `${describeTexts(config)}: the provider answered ${answer.status}`, todo };
  }
  const balance = /"balance"\s*:\s*"([^"]{1,40})"/.exec(await answer.text())?.[1];
  return {
    state: 'right',
    found: `${describeTexts(config)}: it lets us in, and the balance is ${balance ?? 'not told'}`,
  };
}

function withoutMessages({ production }: Config, what: string, setting: string): Seen {
  if (!production) return { state: 'right', found: `${what} are shown at /dev/messages` };
  return { state: 'warning', found: `${what} wait, because nobody carries them`, todo: `set ${setting}` };
}

async function lookAtDisk({ config }: Ground): Promise<Seen> {
  const { folder, free } = await roomFor(resolve(config.dataDir));
  const found = `${Math.floor(free / MB)} MB are free for ${folder}`;
  const todo = `make room, or set DATA_DIR to a larger disk: ${ROOM_NEEDED_MB} MB are the least, for uploads alone`;
  if (free < ROOM_NEEDED_MB * MB) return { state: 'wrong', found, todo };
  return free < ROOM_WANTED_MB * MB ? { state: 'warning', found, todo } : { state: 'right', found };
}

/** The free space of the folder, or of its nearest existing parent. */
async function roomFor(folder: string): Promise<{ folder: string; free: number }> {
  const found = await statfs(folder).catch(() => undefined);
  if (found !== undefined) return { folder, free: found.bavail * found.bsize };
  return roomFor(dirname(folder));
}
