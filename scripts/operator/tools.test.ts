import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { anchorAudit } from '#server/audit/audit.service.ts';
import { openDatabase } from '#server/db/database.ts';
import { joinInstallation } from '#server/installation/installation.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { buildPerson } from '#testing/builders.ts';
import { databaseUrl } from '#testing/servers/server-process.ts';
import { appOfFile } from '#testing/test-app.ts';
import { TEST_SECRET } from '#testing/test-platform.ts';
import { root, runTool } from './tool.harness.ts';

/** The command-line tools work only on the right database. */

/** The exit codes of failed tools. */
const REFUSED = { user: 1, backup: 1, 'audit-verify': 2, 'verify-files': 1, messages: 1 };

const TOOLS = [
  ['user', 'create', '--username', 'first@kasente.test', '--admin'],
  ['backup', 'a-backup'],
  ['audit-verify'],
  ['verify-files'],
  ['messages', 'dead'],
] as const satisfies readonly (readonly [script: keyof typeof REFUSED, ...args: string[]])[];

const app = appOfFile();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-tools-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PROJECT = ['contract', 'node_modules', 'package.json', 'scripts', 'server'];
let project: string;
/** A checkout with the production packages that these tools need. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'kasente-production-'));
  await mkdir(join(project, 'node_modules'));
  for (const name of PROJECT.filter((one) => one !== 'node_modules')) {
    await cp(join(root, name), join(project, name), { recursive: true });
  }
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (!/^(vitest|\..*)$/.test(name))
      await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Runs a tool in the folder, with a password on standard input. */
const run = ([script = '', ...args]: readonly string[], env: Record<string, string>, checkout = root) =>
  // Compiled code of a temporary checkout is not cached.
  runTool(
    script,
    args,
    { ...(checkout === root ? {} : { NODE_COMPILE_CACHE: '' }), ...env },
    {
      cwd: folder,
      checkout,
      input: 'Boda-boda 2026 Kampala\n',
    },
  );

describe.each(TOOLS.map((tool) => ({ script: tool[0], tool })))('$script', ({ script, tool }) => {
  it('first names its database, and creates nothing if there is none', async () => {
    const { code, out, error } = await run(tool, { DATA_DIR: folder });
    expect([code, out]).toEqual([REFUSED[script], '']);
    const [first, second, ...more] = error.split('\n');
    const announced = `Database: ${folder}/postgres (embedded). Documents: ${folder}/documents.`;
    expect([first, more.length]).toEqual([announced, 1]);
    expect(second).toMatch(/there is no (database in|folder) .*Nothing was made\.$/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses an older database, except for a backup, without migrating', async () => {
    await onCopy('older', 'template kasente_template', async (name) => {
      const opened = openDatabase({ ...inject('cluster'), database: name }, () => undefined);
      try {
        await sql`drop table matched_statements`.execute(opened.db);
        await sql`delete from kysely_applied where name = '0077-matched-statements'`.execute(opened.db);
        await mkdir(join(folder, 'documents'));
        const { code, error } = await run(tool, settingsFor(name));
        if (script === 'backup') expect(code).toBe(0);
        else {
          expect(code).toBe(REFUSED[script]);
          expect(error).toMatch(
            /the database is of an older version \(1 migrations are missing, 0077-matched-statements/,
          );
        }
        const { rows } = await sql<{
          there: boolean;
        }>`select to_regclass('matched_statements') is not null as there`.execute(opened.db);
        expect(rows).toEqual([{ there: false }]);
        expect((await readdir(folder)).sort()).toEqual([...(script === 'backup' ? ['a-backup'] : []), 'documents']);
      } finally {
        await opened.close();
      }
    });
  });
});

/** Works on another database of the cluster. */
async function onCopy(suffix: string, of: string, work: (name: string) => Promise<void>): Promise<void> {
  const name = `${app.database.name}_${suffix}`;
  await sql`create database ${sql.id(name)} ${sql.raw(of)}`.execute(app.database.owner.db);
  try {
    await work(name);
  } finally {
    await sql`drop database ${sql.id(name)} with (force)`.execute(app.database.owner.db);
  }
}

const settingsFor = (name: string) => ({
  SECRET_KEY: TEST_SECRET,
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl(name),
});

// The tools that open the platform with openTool; a single one covers its refusals.
describe('a tool', () => {
  const [tool] = TOOLS;

  it('requires settings in a production checkout', async () => {
    const { code, out, error } = await run(tool, {}, project);
    expect([code, out]).toEqual([REFUSED.user, '']);
    expect(error).toMatch(
      /neither DATABASE_URL nor DATA_DIR is set: give it the settings of the server, such as --env-file .* Nothing was done\.\n$/,
    );
    expect(await readdir(folder)).toEqual([]);
    expect(await readdir(project)).toEqual(PROJECT);
  });

  it('refuses an empty database, and leaves it empty', async () => {
    await onCopy('empty', '', async (name) => {
      const { code, out, error } = await run(tool, settingsFor(name));
      expect([code, out]).toEqual([REFUSED.user, '']);
      expect(error).toMatch(/the database is empty: start the server on it once, .* Nothing was changed\.\n$/);
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses another secret, and a misspelt setting', async () => {
    (await joinInstallation({ ...app.platform, sealer: createSealer(TEST_SECRET) }, () => undefined))();
    const { code, error } = await run(tool, { ...settingsFor(app.database.name), SECRET_KEY: 'x'.repeat(32) });
    expect(code).toBe(REFUSED.user);
    expect(error).toContain('is not the secret that this database was filled with');
    const mistyped = await run(tool, { DATABASE_URI: databaseUrl(app.database.name), DATA_DIR: folder });
    expect(mistyped.code).toBe(REFUSED.user);
    expect(mistyped.error).toContain('DATABASE_URI is no setting of Kasente: did you mean DATABASE_URL?');
  });
});

describe('a tool that fills a database', () => {
  it.each([
    ['restore', 'a-backup'],
    ['demonstration', 'create'],
    ['demonstration', 'reset'],
  ])('makes nothing where no setting says in which place: %s %s', async (...tool) => {
    const { code, out, error } = await run(tool, { NODE_ENV: 'development' });
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(
      /^Nothing was (done|restored): neither DATABASE_URL nor DATA_DIR is set: .* or DATA_DIR=\.\/data .* Nothing was done\.\n$/,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the settings', () => {
  it('may be in a file named by --env-file', async () => {
    const file = join(folder, 'kasente.env');
    await writeFile(
      file,
      `DATABASE_URL=${databaseUrl(app.database.name)}\nSECRET_KEY='${TEST_SECRET}'\nDATA_DIR=${folder}\n`,
    );
    const { username } = await buildPerson(app, { username: '0766000091' });
    const args = ['grant', '--username', username, '--perm', 'KSTAF'];
    for (const given of [['--env-file', file], [`--env-file=${file}`]]) {
      const { code, out } = await run(['user', ...given, ...args], {});
      expect([code, out]).toEqual([0, '0766000091 now has KSTAF.\n']);
    }
    const missing = await run(['user', ...args, '--env-file', join(folder, 'none')], {});
    expect(missing.code).not.toBe(0);
    expect(missing.error).toContain(join(folder, 'none'));
  });
});

describe('audit:verify', () => {
  it('ends with 1 after tampering and with 2 after an error', async () => {
    const settings = { DATABASE_URL: databaseUrl(app.database.name), DATA_DIR: folder, SECRET_KEY: TEST_SECRET };
    await buildPerson(app, { username: '0766000092' });
    await sql`insert into audit_events (at, action, subject_type, subject_tag, after)
      values (now(), 'person.created', 'person', gen_random_uuid(), 'null'::jsonb)`.execute(app.database.owner.db);
    await anchorAudit(app.platform);
    expect((await run(['audit-verify'], settings)).code).toBe(0);
    const away = await run(['audit-verify'], { ...settings, DATABASE_URL: 'postgres://kasente@127.0.0.1:1/kasente' });
    expect(away.code).toBe(2);
    const unread = await run(['audit-verify'], { ...settings, AUDIT_WITNESS: '/proc/version/none' });
    expect(unread.code).toBe(2);
    expect((await run(['audit-verify', '--sael', '1:2'], settings)).code).toBe(2);
    await sql`alter table audit_events disable trigger user`.execute(app.database.owner.db);
    await sql`update audit_events set action = 'person.changed' where id = (select max(id) from audit_events)`.execute(
      app.database.owner.db,
    );
    const tampered = await run(['audit-verify'], settings);
    expect([tampered.code, tampered.out]).toEqual([1, expect.stringContaining('faults in')]);
  });
});
