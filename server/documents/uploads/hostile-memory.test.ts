import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MediaType } from '#contract/documents/schema.ts';
import { readingTask } from '#server/files/sanitizing/reading.ts';
import { childEnvironment } from '#testing/child-environment.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import type { HostileFile } from '#testing/hostile-files/hostile-file.ts';
import { makeHostileFiles } from '#testing/hostile-files/hostile-files.ts';
import { heaviestPictures } from '#testing/hostile-files/pictures.ts';
import { readersOf, residentBytes, watchMemory } from '#testing/memory-watch.ts';
import { samplePdf, samplePng } from '#testing/sample-files.ts';
import { greetedAddress } from '#testing/servers/greeting.ts';
import { createTestPlatform } from '#testing/test-platform.ts';

/** How much memory a server started by `npm start` needs for every hostile file in turn. */

const MEGABYTE = 1024 * 1024;
const LIMIT_BYTES = 150 * MEGABYTE;

let server: ChildProcess;
let address: string;

const inMegabytes = (bytes: number): string => `${Math.round(bytes / MEGABYTE)} MB`;

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

/** Logs in a client of the demonstration, with a draft of theirs. */
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

/** A process that allocates a lot of memory for a moment. */
async function greedyProcess(bytes: number): Promise<ChildProcess> {
  const program = `let kept; process.on('message', () => { kept = Buffer.alloc(${bytes}, 1); process.send('taken'); })`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(child, 'spawn');
  return child;
}

const onLinux = process.platform === 'linux';

it.runIf(onLinux)('a process that takes 200 MB is found: the canary', async () => {
  const greedy = await greedyProcess(200 * MEGABYTE);
  const pids = async () => [greedy.pid ?? 0];
  const watch = watchMemory(pids);
  const before = await residentBytes(await pids());
  const taken = once(greedy, 'message');
  greedy.send('take');
  await taken;
  const grown = (await watch.stop()) - before;
  greedy.kill('SIGKILL');
  expect(grown).toBeGreaterThan(LIMIT_BYTES);
  canaryFound('hostile-files-memory', `a process that took ${inMegabytes(grown)} for a moment was found`);
});

it.runIf(onLinux)('the readers take less than 150 MB for what takes the most', { timeout: 120_000 }, async () => {
  const test = await createTestPlatform();
  const { files, readers } = test.platform;
  const read = async (content: Buffer, type: MediaType) =>
    readers.sanitize(await files.receive(Readable.from([content])), type, 'somebody');
  for (let round = 0; round < 5; round += 1) await read(samplePng(), 'image/png');
  const pids = () => readersOf(process.pid);
  const before = await residentBytes(await pids());
  const watch = watchMemory(pids);
  for (const { content, type } of await heaviestPictures())
    await read(content, readingTask.shape.mediaType.parse(type));
  const grown = (await watch.stop()) - before;
  await test.close();
  process.stdout.write(`the readers grew by ${inMegabytes(grown)} at most\n`);
  expect(grown).toBeLessThan(LIMIT_BYTES);
});

describe.runIf(onLinux && full)('the memory of a server', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kasente-memory-'));
    await chmod(folder, 0o755); // PostgreSQL runs as another user when this is root, and has to get in
    server = spawn(process.execPath, ['server/main.mjs'], {
      env: childEnvironment({ NODE_ENV: 'development', PORT: '0', DATA_DIR: folder }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    address = await new Promise((resolve, reject) => {
      let output = '';
      server.stdout?.on('data', (piece: Buffer) => {
        output += piece.toString();
        const found = greetedAddress(output);
        if (found !== undefined) resolve(found);
      });
      server.once('exit', () => reject(new Error(output)));
    });
  });
  afterAll(async () => {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });

  /** The server and its reader processes. */
  const pids = async () => [server.pid ?? 0, ...(await readersOf(server.pid ?? 0))];

  it('grows by less than 150 MB over every hostile file, its readers included, and it lives', async () => {
    // We prepare this first, because a reader without work ends after 20 s.
    const hostile = await makeHostileFiles();
    const client = await signIn();
    // Each kind of file has been read once by now, so programs and libraries have taken the memory they keep.
    for (let round = 0; round < 10; round += 1) {
      const [pdf, png] = [samplePdf(), samplePng()];
      expect((await upload(client, { fileName: 'a.pdf', type: 'application/pdf', content: pdf })).status).toBe(200);
      expect((await upload(client, { fileName: 'a.png', type: 'image/png', content: png })).status).toBe(200);
    }
    const before = await residentBytes(await pids());
    const watch = watchMemory(pids);
    for (const file of hostile) {
      const { status, body } = await upload(client, file);
      expect([file.name, status === 200 ? file.expected : body.code]).toEqual([file.name, file.expected]);
    }
    const grown = (await watch.stop()) - before;
    process.stdout.write(
      `${hostile.length} hostile files: from ${inMegabytes(before)} by ${inMegabytes(grown)} at most\n`,
    );
    expect(grown).toBeLessThan(LIMIT_BYTES);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    proved(
      'hostile-files-memory',
      `${hostile.length} hostile files: a server and its readers together held ${inMegabytes(before)}, and ${inMegabytes(grown)} more at any moment`,
    );
  });
});
