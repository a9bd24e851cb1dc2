import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { API_ROOT, endpoint } from '#contract/endpoint.ts';
import { success } from '#contract/fields.ts';
import { Routes } from '#server/http/http.ts';
import { CALLS, FairTurns } from '#server/traffic/fair-turns.ts';
import { buildSignedIn, type SignedIn } from '#testing/builders.ts';
import { createTestApp } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';

/** Uploads and downloads hold a turn until they are complete (docs/decisions/0021-load.md). */

const PART_BYTES = 100_000;
const part = endpoint({
  method: 'PUT',
  path: '/probe/part',
  summary: 'Takes a part',
  bytes: PART_BYTES,
  reply: success,
  needs: 'session',
});
const file = endpoint({
  method: 'GET',
  path: '/probe/file',
  summary: 'Gives a file',
  file: true,
  reply: z.unknown(),
  needs: 'session',
});

interface Transfer {
  readonly sent: ClientRequest;
  /** Resolves with the head of the response; rejects if the connection ends before it. */
  readonly answer: Promise<IncomingMessage>;
}

/** A server that runs two transfers of a person at once and lets two wait, with two people. */
async function open() {
  const app = await createTestApp();
  onTestFinished(() => app.close());
  const turns = new FairTurns(app.platform, CALLS, { transfers: { atOnce: 4, atOnceEach: 2, waiting: 2 } });
  const routes = new Routes(app.server, app.platform, turns);
  let files = 0;
  routes.signedIn(part, async () => ({ success: true as const }));
  routes.signedIn(file, async ({ reply }) => {
    files += 1;
    reply.header('content-type', 'application/octet-stream');
    return Readable.from(endless());
  });
  const port = Number(new URL(await app.server.listen({ host: '127.0.0.1', port: 0 })).port);
  const call = ({ caller }: SignedIn, { method, path }: { method: string; path: string }, bytes = 0): Transfer => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path: `${API_ROOT}${path}`,
      headers: {
        cookie: [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
        ...(method === 'PUT' ? { 'content-type': 'application/octet-stream', 'content-length': PART_BYTES } : {}),
      },
    });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject);
    });
    answer.catch(() => undefined); // some tests end it themselves
    onTestFinished(() => void sent.destroy());
    if (bytes === PART_BYTES) sent.end(Buffer.alloc(bytes));
    else if (bytes > 0) sent.write(Buffer.alloc(bytes));
    else sent.end();
    return { sent, answer };
  };
  const [one, other] = [await buildSignedIn(app), await buildSignedIn(app)];
  return {
    turns,
    one,
    other,
    filesOpened: () => files,
    sendPart: (who: SignedIn, bytes = PART_BYTES) => call(who, part, bytes),
    fetchFile: (who: SignedIn) => call(who, file),
  };
}

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1024);
}

describe('calls that carry a file', () => {
  it('run two at a time for one person, counted from the body on, and do not delay another person’s', async () => {
    const { turns, one, other, sendPart } = await open();
    const slow = [sendPart(one, 1), sendPart(one, 1)];
    await until(async () => turns.transfers.running === 2);
    const waiting = [sendPart(one), sendPart(one)];
    await until(async () => turns.transfers.waiting === 2);
    expect((await sendPart(other).answer).statusCode).toBe(200);
    const refused = await sendPart(one).answer;
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, expect.stringMatching(/^[2-6]$/)]);
    expect(turns.transfers).toMatchObject({ running: 2, waiting: 2 });
    for (const { sent } of slow) sent.end(Buffer.alloc(PART_BYTES - 1));
    const answers = await Promise.all([...slow, ...waiting].map(({ answer }) => answer));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    await until(async () => turns.transfers.running === 0);
  });

  it('hold their turn until the download is complete or the caller has disconnected', async () => {
    const { turns, one, other, filesOpened, fetchFile, sendPart } = await open();
    const unread = [fetchFile(one), fetchFile(one)];
    for (const { answer } of unread) expect((await answer).statusCode).toBe(200);
    const vanishing = fetchFile(one);
    const waiting = sendPart(one);
    await until(async () => turns.transfers.waiting === 2);
    const others = fetchFile(other);
    expect((await others.answer).statusCode).toBe(200);
    expect([filesOpened(), turns.transfers.running]).toEqual([3, 3]);
    vanishing.sent.destroy();
    others.sent.destroy();
    await until(async () => turns.transfers.running === 2);
    for (const { sent } of unread) sent.destroy();
    expect((await waiting.answer).statusCode).toBe(200);
    await until(async () => turns.transfers.running === 0);
    expect([filesOpened(), turns.transfers.waiting]).toEqual([3, 0]);
  });
});
