import { createReadStream } from 'node:fs';
import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#server/calls/app-error.ts';
import type { ReceivedFile } from '#server/files/inbox.ts';
import type { Log } from '#server/observability/logging.ts';

/** If there is no traffic for this long, the scanner hangs. A large file takes it a second or two. */
const SILENCE_LIMIT_MS = 30_000;
const LONGEST_ANSWER = 1000;

/**
 * Scans a received file with ClamAV (`CLAMAV_URL`, its INSTREAM command). Throws FILE_INFECTED if it finds a virus, and
 * UNAVAILABLE if the scan fails, so that nothing is stored unscanned.
 */
export async function scanForViruses(url: string, received: ReceivedFile, log: Log): Promise<void> {
  let answer: string;
  try {
    answer = await askScanner(url, createReadStream(received.path));
  } catch (error) {
    log.error({ err: error }, 'the virus scanner is unreachable');
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 30 });
  }
  if (/^stream: OK$/.test(answer)) return;
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
  if (found === undefined) {
    log.error({ answer }, 'the virus scanner could not scan a file');
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 30 });
  }
  log.warn({ found, sha256: received.sha256.toString('hex') }, 'a virus was found in an upload');
  throw new AppError('FILE_INFECTED');
}

/** ClamAV's reply about content, such as `stream: OK`. Throws if ClamAV is unreachable. */
export async function askScanner(url: string, content: AsyncIterable<Buffer>): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 3310) });
  socket.setTimeout(SILENCE_LIMIT_MS, () => socket.destroy(new Error('no answer in time')));
  const over = new AbortController();
  const answer = readAnswer(socket);
  const sending = pipeline(instream(content), socket, { end: false, signal: over.signal });
  for (const promise of [answer, sending]) promise.catch(() => undefined); // the first failure is thrown below
  try {
    // It may reply or disconnect before the end.
    return await Promise.race([answer, sending.then(() => answer)]);
  } finally {
    over.abort();
    socket.destroy();
  }
}

/** The command and the content in chunks, each preceded by its length; length 0 ends it. */
async function* instream(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0');
  for await (const piece of content) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(piece.length);
    yield length;
    yield piece;
  }
  yield Buffer.alloc(4);
}

async function readAnswer(socket: AsyncIterable<Buffer>): Promise<string> {
  let answer = '';
  for await (const piece of socket) {
    answer += piece.toString('latin1');
    const end = answer.indexOf('\0');
    if (end !== -1) return answer.slice(0, end);
    if (answer.length > LONGEST_ANSWER) break;
  }
  throw new Error('no whole answer');
}
