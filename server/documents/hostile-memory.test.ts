import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostileFile } from '#scripts/hostile-files/hostile-file.ts';
import { makeHostileFiles } from '#scripts/hostile-files/hostile-files.ts';
import { samplePdf, samplePng } from '#server/testing/sample-files.ts';

/** How much memory every hostile file, one after the other, costs a server as `npm start` runs it. */

const MEGABYTE = 1024 * 1024;
const LIMIT_BYTES = 150 * MEGABYTE;
/** For the moment in which they draw the largest pictures that are not refused. */
const READERS_LIMIT_BYTES = 200 * MEGABYTE;

let folder: string;
let server: ChildProcess;
let address: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-memory-'));
  await chmod(folder, 0o755); // PostgreSQL runs as another user when this is root, and has to get in
  server = spawn(process.execPath, ['server/main.ts'], {
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'development', PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  address = await new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (piece: Buffer) => {
      output += piece.toString();
      const found = /Kasente runs at (\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    server.once('exit', () => reject(new Error(output)));
  });
});
afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
});

interface Client {
  readonly cookie: string;
  readonly invoiceTag: string;
}

async function call(path: string, client: { cookie?: string }, body?: unknown) {
  const answer = await fetch(`${address}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-requested-with': 'fetch',
      'content-type': 'application/json',
      ...(client.cookie === undefined ? {} : { cookie: client.cookie }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { answer, body: JSON.parse(await answer.text()) };
}

/** Somebody of the demonstration, and a draft of theirs. */
async function signIn(): Promise<Client> {
  const login = await call('/users/login', {}, { username: '0700000001', password: 'Kasente-demo-1' });
  const cookie = login.answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  const { body } = await call('/invoices/paged', { cookie }, { page: 1, businessTag: '' });
  const draft = body.find(({ status }: { status: string }) => status === 'Draft');
  return { cookie, invoiceTag: draft.tag };
}

async function upload(
  { cookie, invoiceTag }: Client,
  { fileName, type, content }: Omit<HostileFile, 'name' | 'expected'>,
) {
  const form = new FormData();
  form.append('invoiceTag', invoiceTag);
  form.append('typeId', '1');
  form.append('file', new Blob([new Uint8Array(content)], { type }), fileName);
  const answer = await fetch(`${address}/api/v1/files/upload`, {
    method: 'POST',
    headers: { 'x-requested-with': 'fetch', cookie },
    body: form,
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

/** What a process holds, from its own metrics. */
async function serverBytes(): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
}

/** What the processes hold that read files for the server; only Linux tells. */
async function readerBytes(): Promise<number> {
  const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').catch(() => '');
  let bytes = 0;
  for (const pid of children.trim().split(' ').filter(Boolean)) {
    const [command, status] = await Promise.all(
      ['cmdline', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    if (command?.includes('reader.child.ts')) bytes += 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status ?? '')?.[1] ?? 0);
  }
  return bytes;
}

/** Watches the most that the readers hold while they work. */
function watchReaders(): { stop: () => number } {
  let peak = 0;
  const timer = setInterval(() => {
    void readerBytes().then((bytes) => {
      peak = Math.max(peak, bytes);
    });
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

async function totalBytes(): Promise<number> {
  return (await serverBytes()) + (await readerBytes());
}

describe('the memory of a server', () => {
  it('grows by less than 150 MB over every hostile file, its readers included, and it lives', {
    timeout: 600_000,
  }, async () => {
    const client = await signIn();
    // Both kinds of files have been read once: what programs and libraries take is there.
    for (let round = 0; round < 10; round += 1) {
      expect((await upload(client, { fileName: 'a.pdf', type: 'application/pdf', content: samplePdf() })).status).toBe(
        200,
      );
      expect((await upload(client, { fileName: 'a.png', type: 'image/png', content: samplePng() })).status).toBe(200);
    }
    const before = { server: await serverBytes(), readers: await readerBytes(), total: await totalBytes() };
    let [serverPeak, totalPeak, files] = [0, 0, 0];
    const watch = watchReaders();
    for (const file of await makeHostileFiles()) {
      const { status, body } = await upload(client, file);
      expect([file.name, status === 200 ? file.expected : body.code]).toEqual([file.name, file.expected]);
      files += 1;
      serverPeak = Math.max(serverPeak, await serverBytes());
      totalPeak = Math.max(totalPeak, await totalBytes());
    }
    const readerPeak = watch.stop();
    const megabytes = (bytes: number): number => Math.round(bytes / MEGABYTE);
    process.stdout.write(
      `${files} hostile files: the server grew from ${megabytes(before.server)} MB by ` +
        `${megabytes(serverPeak - before.server)} MB, with its readers by ` +
        `${megabytes(totalPeak - before.total)} MB after each file; the readers alone by ${megabytes(readerPeak - before.readers)} MB in between\n`,
    );
    expect(serverPeak - before.server).toBeLessThan(LIMIT_BYTES);
    expect(totalPeak - before.total).toBeLessThan(LIMIT_BYTES);
    expect(readerPeak - before.readers).toBeLessThan(READERS_LIMIT_BYTES);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });
});
