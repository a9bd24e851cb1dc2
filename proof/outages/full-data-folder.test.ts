import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildClient, type Client, invoiceForm, postInvoice, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { childEnvironment } from '#testing/child-environment.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { remoteCaller, type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts';
import { type Answer, appOfFile, type TestCaller } from '#testing/test-app.ts';
import { upload } from '#testing/uploads.ts';

/**
 * The disk with the data folder and PostgreSQL is full: writes that do not fit get 507, other calls are answered,
 * nothing crashes, and writes succeed again once there is room. The full form mounts a disk of 200 MB over the folder
 * (as root).
 */

const MESSAGE = 'Kasente has no room to save this. Nothing has changed. Try again later';

/** Whether a write was refused because the disk is full. Any other reply except success is a fault. */
function isFull({ status, body }: Answer): boolean {
  if (status === 200) return false;
  expect([status, body]).toEqual([507, { success: false, code: 'STORAGE_FULL', msg: MESSAGE }]);
  return true;
}

describe('a database that finds no room', () => {
  const app = appOfFile();
  let client: Client;
  beforeAll(async () => {
    client = await buildClient(app);
  });

  /** Makes the database refuse every new invoice with that code. */
  async function whileRefusing(code: string, work: () => Promise<void>): Promise<void> {
    const { pool } = app.database.owner;
    await pool.query(`create or replace function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`);
    await pool.query('create trigger no_room before insert on invoices for each row execute function no_room()');
    try {
      await work();
    } finally {
      await pool.query('drop trigger no_room on invoices');
    }
  }

  it('answers 507, shows everything, and saves again when there is room', async () => {
    const { tag } = await saveInvoice(client);
    const save = () => postInvoice(client, invoiceForm(client));
    await whileRefusing('53100', async () => {
      expect(isFull(await save())).toBe(true);
      expect((await client.caller.get(`/invoices/${tag}`)).status).toBe(200);
      expect((await client.caller.get('/users/session')).status).toBe(200);
    });
    expect(isFull(await save())).toBe(false);
    await whileRefusing('XX000', async () => {
      const answer = await save();
      expect(() => isFull(answer)).toThrow('to deeply equal');
      canaryFound(
        'full-data-folder',
        `an answer of ${answer.status} to a write that failed for another reason was found`,
      );
    });
  });
});

function mountDisk(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', folder]).status === 0;
}

// Without the right to mount there is no disk to fill, and the claim stays unproved.
describe.runIf(full)('a real disk of 200 MB', () => {
  let folder: string;
  let server: ServerProcess;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kasente-full-'));
    await chmod(folder, 0o755);
    expect(mountDisk(folder)).toBe(true);
    server = await startServerProcess({ name: 'none' }, { env: { DATABASE_URL: '', DATA_DIR: folder } });
  });
  afterAll(async () => {
    await server.stop();
    spawnSync('umount', ['-l', folder]);
    await rmdir(folder);
  });

  /** Fills all the free space; returns the file that does so. */
  async function fillDisk(): Promise<string> {
    const path = join(folder, 'filler');
    const file = await open(path, 'w');
    for (const size of [1_048_576, 4_096, 512]) {
      const block = Buffer.alloc(size, 1);
      while ((await file.write(block).catch(() => undefined)) !== undefined);
    }
    await file.close();
    return path;
  }

  async function signedIn(): Promise<{ caller: TestCaller; user: { tag: string; bizTag: string }; buyerId: number }> {
    const caller = remoteCaller(() => server.address);
    const login = await caller.post('/users/login', { username: '0700000001', password: 'Kasente-demo-1' });
    const buyers = await caller.get('/profiles/buyers');
    return { caller, user: login.body.user, buyerId: buyers.body[0].id };
  }

  it('fills up: saves and uploads answer 507 or succeed, pages go on, nothing crashes', async () => {
    const { caller, user, buyerId } = await signedIn();
    let made = 0;
    const save = () => {
      made += 1;
      const invoiceNumber = `FULL-${made}-${'x'.repeat(60)}`.slice(0, 50);
      const terms = { date: '2026-11-20', currencyId: '1', buyerId: String(buyerId), amount: 1000 };
      const invoice = { businessTag: user.bizTag, invoiceNumber, ...terms };
      return caller.post('/invoices', { userTag: user.tag, invoice });
    };
    const first = await save();
    const invoiceTag = first.body.data.tag;
    const sendDocument = () => upload(caller, { invoiceTag, typeId: 1 }, samplePdf());
    const filler = await fillDisk();
    const seen = { saves: 0, refused: 0, uploads: 0, shown: 0 };
    for (let round = 0; round < 500; round += 1) {
      if (isFull(await save())) seen.refused += 1;
      seen.saves += 1;
      if (round % 10 !== 0) continue;
      expect(isFull(await sendDocument())).toBe(true);
      seen.uploads += 1;
      for (const path of ['/users/session', `/invoices/${invoiceTag}`, '/sectors']) {
        expect([path, (await caller.get(path)).status]).toEqual([path, 200]);
        seen.shown += 1;
      }
    }
    await rm(filler);
    await vi.waitFor(
      async () => expect([isFull(await save()), isFull(await sendDocument())]).toEqual([false, false]),
      10_000,
    );
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    expect(server.child.exitCode).toBeNull();
    await server.stop();
    const env = childEnvironment({ DATA_DIR: folder, SECRET_KEY: 'a secret that all servers of a test share' });
    const verified = spawnSync(process.execPath, ['scripts/verify-files.ts'], { env, encoding: 'utf8' });
    expect(verified.stdout).toContain(' 0 missing, 0 altered, 0 without a document');
    proved(
      'full-data-folder',
      `a full disk under PostgreSQL and documents: of ${seen.saves} saves ${seen.refused} answered 507, ${seen.uploads} of ${seen.uploads} uploads 507, ${seen.shown} pages shown, 0 crashes, 0 orphans`,
    );
  });
});
