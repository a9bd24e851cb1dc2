import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FileStore, openFileStore } from '#server/files/files.ts';
import type { ReceivedFile } from '#server/files/inbox.ts';
import { createLog } from '#server/observability/logging.ts';
import { readersOf } from '#testing/memory-watch.ts';
import { samplePdf, samplePng } from '#testing/sample-files.ts';
import { until } from '#testing/until.ts';
import { type FileReaders, openFileReaders } from './readers.ts';

const LIMITS = { processes: 1, waiting: 2, milliseconds: 100_000 };

let folder: string;
let files: FileStore;
let readers: FileReaders;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-readers-'));
  files = await openFileStore(undefined, folder);
  readers = openFileReaders(files, createLog('silent'), LIMITS);
});
afterEach(async () => {
  readers.close();
  await rm(folder, { recursive: true, force: true });
});

const receive = (content: Buffer) => files.receive(Readable.from([content]));
const inbox = () => readdir(join(folder, 'inbox'));
const large = sharp({ create: { width: 8000, height: 5000, channels: 3, background: '#357' } })
  .webp({ effort: 0 })
  .toBuffer();

const readerProcesses = () => readersOf(process.pid);

describe('the file readers', () => {
  it('return a PDF rewritten and a picture re-encoded, with one process for all', async () => {
    const pdf = await readers.sanitize(await receive(samplePdf()), 'application/pdf', 'somebody');
    expect([pdf.file.head.toString('latin1', 0, 8), pdf.removed]).toEqual(['%PDF-1.7', []]);
    const drawn = await readers.sanitize(await receive(samplePng()), 'image/png', 'somebody');
    expect(drawn.file.head.toString('latin1', 1, 4)).toBe('PNG');
    expect(await inbox()).toHaveLength(4);
    if (process.platform === 'linux') expect(await readerProcesses()).toHaveLength(1);
  });

  it('refuse a file that takes too long, leave nothing of it, and continue', async () => {
    const hasty = openFileReaders(files, createLog('silent'), { ...LIMITS, milliseconds: 100 });
    const received = await receive(await large);
    await expect(hasty.sanitize(received, 'image/webp', 'somebody')).rejects.toMatchObject({
      code: 'FILE_TOO_COMPLEX',
    });
    expect(await inbox()).toHaveLength(1);
    hasty.close();
    const small = await readers.sanitize(await receive(samplePng()), 'image/png', 'somebody');
    expect(small.file.size).toBeGreaterThan(0);
  });

  it('end without output when their server ends', async () => {
    const program = join(import.meta.dirname, 'reader.child.ts');
    const reader = fork(program, [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const ended = once(reader, 'exit');
    reader.disconnect();
    expect([await text(reader.stderr ?? Readable.from([])), ...(await ended)]).toEqual(['', 0, null]);
  });

  it('write their errors to their server’s log', async () => {
    const lines: string[] = [];
    const heard = openFileReaders(files, createLog('warn', { write: (line) => lines.push(line) }), LIMITS);
    // @ts-expect-error: a task that no reader supports crashes it, and Node reports that on standard error.
    await expect(heard.sanitize(await receive(samplePdf()), 'text/plain', 'somebody')).rejects.toThrow();
    await until(async () => lines.some((line) => line.includes('ZodError')));
    heard.close();
    expect(lines.map((line) => JSON.parse(line).msg)).toContain('error output of a process that reads files');
  });

  it('allow only a limited number of waiting files', async () => {
    const received = await Promise.all([1, 2, 3, 4, 5].map(() => receive(samplePdf())));
    const answers = await Promise.allSettled(
      received.map((file) => readers.sanitize(file, 'application/pdf', 'somebody')),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(answers[4]).toMatchObject({
      reason: {
        code: 'UNAVAILABLE',
        details: { retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds >= 2 && seconds <= 6) },
      },
    });
    const again = await receive(samplePdf());
    expect((await readers.sanitize(again, 'application/pdf', 'somebody')).file.size).toBeGreaterThan(0);
  });

  it('take turns by sender, and first refuse the newest files of a flood', async () => {
    const fair = openFileReaders(files, createLog('silent'), { ...LIMITS, waiting: 40 });
    const senders = [...Array<string>(42).fill('flooder'), 'other'];
    const received = await Promise.all(senders.map(() => receive(samplePdf())));
    const finished: string[] = [];
    const read = (file: ReceivedFile, index: number): Promise<number> => {
      const tell = (outcome: string) => finished.push(`${senders[index]} ${outcome}`);
      return fair.sanitize(file, 'application/pdf', senders[index] ?? '').then(
        () => tell('read'),
        ({ code }) => tell(code),
      );
    };
    await Promise.all(received.map(read));
    fair.close();
    // The last one was refused when it arrived, and the one before it when the other sender's did.
    const refused = ['flooder UNAVAILABLE', 'flooder UNAVAILABLE'];
    expect(finished).toEqual([
      ...refused,
      'flooder read',
      'flooder read',
      'other read',
      ...Array(38).fill('flooder read'),
    ]);
  });

  it('use one process for one person, however much they send', async () => {
    const fair = openFileReaders(files, createLog('silent'), { ...LIMITS, processes: 2, waiting: 40 });
    const received = await Promise.all(Array.from({ length: 10 }, () => receive(samplePdf())));
    await Promise.all(received.map((file) => fair.sanitize(file, 'application/pdf', 'flooder')));
    if (process.platform === 'linux') expect(await readerProcesses()).toHaveLength(1);
    fair.close();
  });

  it('use little memory after a large picture, because a process that has grown is ended', async () => {
    await readers.sanitize(await receive(await large), 'image/webp', 'somebody');
    const held = async () => {
      const states = await Promise.all(
        (await readerProcesses()).map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')),
      );
      return states.map((status) => Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    };
    await until(async () => (await held()).every((kilobytes) => kilobytes < 160 * 1024));
  });

  it('have access to no setting of the server, and on the disk only to the inbox', async () => {
    vi.stubEnv('A_SECRET_OF_THE_SERVER', 'yes');
    await readers.sanitize(await receive(samplePdf()), 'application/pdf', 'somebody');
    for (const pid of await readerProcesses()) {
      expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('A_SECRET_OF_THE_SERVER');
    }
    const elsewhere = await mkdtemp(join(tmpdir(), 'kasente-elsewhere-'));
    const path = join(elsewhere, 'other.pdf');
    await writeFile(path, samplePdf());
    const foreign = { ...(await receive(samplePdf())), path };
    await expect(readers.sanitize(foreign, 'application/pdf', 'somebody')).rejects.toThrow();
    await rm(elsewhere, { recursive: true });
  });
});
