import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { sampleJpeg, samplePdf } from '#testing/sample-files.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import {
  buildDrafter,
  type Drafter,
  encodeForm,
  expectNothingKept,
  filePart,
  filesOnDisk,
  upload,
  uploadFields,
} from '#testing/uploads.ts';
import { pdfOfSize } from '#testing/uploads-in-parts.ts';

/** Uploads whose sender vanishes, and uploads to a full store: nothing is left behind, and the server continues. */

const ABORTS = rounds(15, 1_000);
/** How often we send something to a full disk. */
const FULL_TRIES = rounds(5, 50);
const AT_ONCE = 5;

const app = appOfFile();
let port: number;
let drafter: Drafter;
beforeAll(async () => {
  port = Number(new URL(await app.server.listen({ host: '127.0.0.1', port: 0 })).port);
});
beforeEach(async () => {
  drafter = await buildDrafter(app);
});

const fields = () => ({ invoiceTag: drafter.invoice.tag, typeId: 1 });

/** Returns a function that counts the files that have begun to arrive since this call. */
function countReceived(): () => number {
  const { files } = app.platform;
  const { receive } = files;
  let begun = 0;
  Object.assign(files, {
    receive: (content: AsyncIterable<Buffer>) => {
      begun += 1;
      return receive(content);
    },
  });
  return () => begun;
}

/** How many connections were made, and how many of them the server has accepted. */
const connections = { made: 0, taken: 0 };

/** The server has noticed every closed connection once it has accepted every connection and none is open. */
function openConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** Sends this part of an upload, then disconnects. */
async function abortAfter(payload: Buffer, headers: Record<string, string>, share: number): Promise<void> {
  const opened: ClientRequest = request({
    host: '127.0.0.1',
    port,
    path: '/api/v1/files/upload',
    method: 'POST',
    headers: {
      ...headers,
      cookie: [...drafter.caller.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
      'content-length': payload.length,
    },
  });
  opened.on('error', () => undefined); // it is we who break it off
  opened.once('socket', (socket) => socket.once('connect', () => (connections.made += 1)));
  await new Promise<void>((resolve) =>
    opened.write(payload.subarray(0, Math.floor(share * payload.length)), () => resolve()),
  );
  await sleep(10 * share);
  opened.destroy();
}

describe('a client that vanishes', () => {
  it('leaves traces that a check finds: the canary', async () => {
    const { db, config } = app.platform;
    const leftover = join(config.dataDir, 'documents', 'inbox', 'leftover');
    const plants = [
      () => writeFile(leftover, 'half a document'),
      () => db.insertInto('pending_files').values({ storage_key: 'left/over', started_at: app.clock.now() }).execute(),
    ];
    for (const plant of plants) await expect(expectNothingKept(app, plant)).rejects.toThrow('to deeply equal');
    await rm(leftover);
    await db.deleteFrom('pending_files').execute();
    for (const claim of ['aborted-uploads', 'full-disk'] as const)
      canaryFound(claim, 'a file left in the inbox and a row of a file that never came were found');
  });

  it(`${ABORTS} times in the middle of an upload leaves nothing`, { timeout: 120_000 + 100 * ABORTS }, async () => {
    const parts = [
      ...uploadFields({ invoiceTag: drafter.invoice.tag, typeId: 1 }),
      filePart(Buffer.concat([sampleJpeg(), Buffer.alloc(700_000)])),
    ];
    const { payload, headers } = encodeForm(parts);
    const begun = countReceived();
    app.server.server.on('connection', () => (connections.taken += 1));
    await expectNothingKept(app, async () => {
      for (let done = 0; done < ABORTS; done += AT_ONCE) {
        const shares = Array.from({ length: AT_ONCE }, (_, index) => ((done + index) % 97) / 100);
        await Promise.all(shares.map((share) => abortAfter(payload, headers, share)));
      }
      await until(async () => connections.taken === connections.made && (await openConnections()) === 0);
      // The server finishes aborted calls before it replies to later ones.
      for (let later = 0; later < AT_ONCE; later += 1) {
        expect((await upload(drafter.caller, fields(), Buffer.from('no document'))).status).toBe(415);
      }
      await until(async () => (await filesOnDisk(app)).length === 0);
    });
    // Otherwise they would have disconnected before there was anything to leave behind.
    expect(begun()).toBeGreaterThan(ABORTS / 2);
    expect((await upload(drafter.caller, fields(), samplePdf())).status).toBe(200);
    proved(
      'aborted-uploads',
      `${ABORTS} uploads broken off, of ${begun()} a part had arrived: 0 files and 0 rows left`,
    );
  });
});

/** Throws the error of a full disk. */
function noRoom(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
}

describe('a full disk', () => {
  const message = 'Kasente has no room to save this. Nothing has changed. Try again later';

  it.each(['receive', 'keep'] as const)(
    'makes files.%s answer 507, stores nothing, and leaves other routes alive',
    async (step) => {
      const { files } = app.platform;
      const working = files[step];
      Object.assign(files, { [step]: async () => noRoom() });
      try {
        await expectNothingKept(app, async () => {
          const { status, body } = await upload(drafter.caller, fields(), samplePdf());
          expect([status, body]).toEqual([507, { success: false, code: 'STORAGE_FULL', msg: message }]);
          expect((await drafter.caller.get(`/invoices/documents/${drafter.invoice.tag}`)).status).toBe(200);
          expect((await drafter.caller.get('/users/session')).status).toBe(200);
        });
      } finally {
        Object.assign(files, { [step]: working });
      }
      expect((await upload(drafter.caller, fields(), samplePdf())).status).toBe(200);
    },
  );

  it('refuses a redrawn picture with 507', async () => {
    const { readers } = app.platform;
    const working = readers.sanitize;
    Object.assign(readers, { sanitize: async () => noRoom() });
    try {
      await expectNothingKept(app, async () => {
        expect((await upload(drafter.caller, fields(), sampleJpeg())).body.code).toBe('STORAGE_FULL');
      });
    } finally {
      Object.assign(readers, { sanitize: working });
    }
  });
});

/** Mounts a 5 MB disk over a folder; false if this user may not mount. */
function mountTinyDisk(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'tmpfs', folder]).status === 0;
}

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder]);
}

async function mayMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-disk-'));
  const may = mountTinyDisk(folder);
  if (may) unmount(folder);
  await rmdir(folder);
  return may;
}

describe.skipIf(!(await mayMount()))('a real disk of 5 MB', () => {
  it('fills up: 507 for what does not fit, nothing of it kept, and room again after a deletion', async () => {
    const own = await createTestApp();
    const folder = join(own.platform.config.dataDir, 'documents');
    try {
      expect(mountTinyDisk(folder)).toBe(true);
      await mkdir(join(folder, 'inbox'));
      const { caller, invoice } = await buildDrafter(own);
      const send = (typeId: number, content: Buffer) => upload(caller, { invoiceTag: invoice.tag, typeId }, content);
      const first = await send(1, pdfOfSize(1_100_000));
      expect([first.status, (await send(2, pdfOfSize(1_100_000))).status]).toEqual([200, 200]);
      for (let round = 0; round < FULL_TRIES; round += 1) {
        await expectNothingKept(own, async () => {
          expect((await send(3, pdfOfSize(1_100_000))).body.code).toBe('STORAGE_FULL');
          expect((await caller.get(`/files/view/${first.body.data.tag}`)).status).toBe(200);
        });
      }
      await caller.call({ method: 'DELETE', url: `/files/${first.body.data.tag}` });
      expect((await send(3, pdfOfSize(1_100_000))).status).toBe(200);
      proved(
        'full-disk',
        `${FULL_TRIES} uploads to a full disk of 5 MB: ${FULL_TRIES} answers of 507, 0 orphans, documents shown meanwhile`,
      );
    } finally {
      unmount(folder);
      await own.close();
    }
  });
});
