import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anchorAudit, verifyAudit } from '#server/audit/audit.service.ts';
import { joinInstallation } from '#server/installation/installation.ts';
import { databaseUrl } from '#testing/servers/server-process.ts';
import { appOfFile } from '#testing/test-app.ts';
import { asTool, run } from './backup.harness.ts';

/** The server knows when the last backup was made without knowing its folder. */

const app = appOfFile();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-backup-record-'));
  await chmod(folder, 0o755);
  (await joinInstallation(asTool(app), () => undefined))();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function backUp(name: string) {
  const { dataDir } = app.platform.config;
  return run('backup', [join(folder, name)], { DATABASE_URL: databaseUrl(app.database.name), DATA_DIR: dataDir });
}

/** The value of the metric. */
async function lastBackup(): Promise<number> {
  const { payload } = await app.server.inject({ url: '/metrics' });
  return Number(/^kasente_backup_last_timestamp_seconds (\S+)$/m.exec(payload)?.[1]);
}

const madeAt = (out: string): number => Date.parse(/ as of (\S+), verified/.exec(out)?.[1] ?? '') / 1000;

describe('a backup', () => {
  it('is logged with the name of its operator, and changes the metric of the last backup', async () => {
    expect(await lastBackup()).toBe(0);
    const first = await backUp('first');
    expect([first.code, first.error]).toEqual([0, '']);
    expect(await lastBackup()).toBe(madeAt(first.out));
    const second = await backUp('second');
    expect(madeAt(second.out)).toBeGreaterThan(madeAt(first.out));
    expect(await lastBackup()).toBe(madeAt(second.out));

    const events = await app.platform.db
      .selectFrom('audit_events')
      .select(['actor_tag', 'after', 'ip', 'request_id'])
      .where('action', '=', 'backup.made')
      .orderBy('id')
      .execute();
    expect(events.map(({ after }) => after)).toMatchObject([
      { folder: join(folder, 'first'), documents: 0, lost: 0 },
      { folder: join(folder, 'second'), documents: 0, lost: 0 },
    ]);
    expect(events[0]).toMatchObject({
      actor_tag: null,
      ip: 'command line',
      request_id: expect.stringMatching(/^npm run backup, by .+ \(uid \d+\)$/),
    });
    await anchorAudit(asTool(app));
    expect((await verifyAudit(asTool(app))).faults).toEqual([]);
  });

  it('does not change the metric if it fails', async () => {
    const before = await lastBackup();
    expect((await backUp('first')).code).toBe(1); // the place exists already
    expect(await lastBackup()).toBe(before);
  });
});
