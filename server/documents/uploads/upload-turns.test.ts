import { type ClientRequest, request } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PART_BYTES } from '#contract/documents/schema.ts';
import { readersOf } from '#testing/memory-watch.ts';
import { samplePdf, samplePng } from '#testing/sample-files.ts';
import { type Answer, appOfFile } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import {
  buildDrafter,
  type Drafter,
  encodeForm,
  filePart,
  filesOnDisk,
  upload,
  uploadFields,
} from '#testing/uploads.ts';
import { begun, pdfOfSize, sendParts } from '#testing/uploads-in-parts.ts';

/** Uploads take turns, so that one client's flood delays that client alone (docs/decisions/0021-load.md). */

const app = appOfFile();
let port: number;
let flooder: Drafter;
let other: Drafter;
beforeAll(async () => {
  port = Number(new URL(await app.server.listen({ host: '127.0.0.1', port: 0 })).port);
});
beforeEach(async () => {
  flooder = await buildDrafter(app);
  other = await buildDrafter(app);
});

const placeOf = ({ invoice }: Drafter) => ({ invoiceTag: invoice.tag, typeId: 1 });
const inboxFiles = async () => (await filesOnDisk(app)).filter((path) => path.includes('/inbox/')).length;

let held: readonly number[] = [];
const letGo = (): void => {
  for (const pid of held) process.kill(pid, 'SIGCONT');
  held = [];
};
afterEach(letGo);

/**
 * Starts uploads by the flooding client, whose reader process is stopped before the first upload arrives. Returns their
 * replies so far.
 */
async function flood(uploads: number): Promise<{ answers: Answer[]; all: Promise<unknown> }> {
  app.platform.readers.close(); // one alone, which is then the next to be used
  await until(async () => (await readersOf(process.pid)).length === 0);
  expect((await upload(flooder.caller, placeOf(flooder), samplePng())).status).toBe(200);
  held = await readersOf(process.pid);
  expect(held).toHaveLength(1);
  for (const pid of held) process.kill(pid, 'SIGSTOP');
  const answers: Answer[] = [];
  const sent = Array.from({ length: uploads }, async () => {
    answers.push(await upload(flooder.caller, placeOf(flooder), samplePng()));
  });
  const all = Promise.all(sent);
  // Only now does the stopped reader belong to the flooding client, and to no client that comes later.
  await until(async () => app.platform.readers.turns().waiting > 0);
  return { answers, all };
}

it('an upload right after its reader was ended gets another', async () => {
  expect((await upload(other.caller, placeOf(other), samplePng())).status).toBe(200);
  app.platform.readers.close();
  expect((await upload(other.caller, placeOf(other), samplePng())).status).toBe(200);
});

describe.runIf(process.platform === 'linux')('a flood of uploads that are slow to read', () => {
  it('keeps another client’s upload waiting for none of it', async () => {
    const { answers, all } = await flood(44);
    const answer = await upload(other.caller, placeOf(other), samplePng());
    expect([answer.status, answers.length]).toEqual([200, 0]);
    letGo();
    await all;
    expect(answers.map(({ status }) => status)).toEqual(Array(44).fill(200));
  });

  it('is refused beyond 60 that wait, with when to come back', async () => {
    const { answers, all } = await flood(6 + 60 + 4);
    await until(async () => answers.length === 4);
    expect((await upload(other.caller, placeOf(other), samplePng())).status).toBe(200);
    for (const { status, body, headers } of answers)
      expect([status, body.code, headers['retry-after']]).toEqual([
        503,
        'UNAVAILABLE',
        expect.stringMatching(/^[2-6]$/),
      ]);
    letGo();
    await all;
    expect(answers.slice(4).map(({ status }) => status)).toEqual(Array(66).fill(200));
  });
});

describe('uploads that come slowly', () => {
  /** Sends an upload by the flooding client, without its end. */
  function openSlowly(): ClientRequest {
    const { invoiceTag, typeId } = placeOf(flooder);
    const form = encodeForm([...uploadFields({ invoiceTag, typeId }), filePart(samplePdf())]);
    const opened = request({
      host: '127.0.0.1',
      port,
      path: '/api/v1/files/upload',
      method: 'POST',
      headers: {
        cookie: [...flooder.caller.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
        'content-length': form.payload.length,
        ...form.headers,
      },
    });
    opened.on('error', () => undefined); // it is we who break it off
    opened.write(form.payload.subarray(0, -100));
    return opened;
  }

  /** An upload in parts that only has to be finished. */
  async function sentInParts({ caller, ...drafter }: Drafter): Promise<() => Promise<Answer>> {
    const content = pdfOfSize(PART_BYTES + 1);
    const tag = await begun(caller, { ...placeOf({ caller, ...drafter }), typeId: 2 }, content);
    await sendParts(caller, tag, content);
    return () => caller.post(`/files/uploads/${tag}/finish`);
  }

  it('lie in the inbox six at a time, and those that vanish while they wait hold no turn', async () => {
    const [finish, finishOther] = [await sentInParts(flooder), await sentInParts(other)];
    const opened = Array.from({ length: 6 }, openSlowly);
    await until(async () => (await inboxFiles()) === 6);
    const waiting = Array.from({ length: 12 }, openSlowly);
    let finished: number | undefined;
    const finishing = finish().then(({ status }) => {
      finished = status;
    });
    expect((await finishOther()).status).toBe(200);
    expect((await upload(other.caller, placeOf(other), samplePdf())).status).toBe(200);
    expect([await inboxFiles(), finished]).toEqual([6, undefined]);
    for (const one of waiting) one.destroy();
    for (const one of opened) one.destroy();
    await finishing;
    expect(finished).toBe(200);
    expect((await upload(flooder.caller, placeOf(flooder), samplePdf())).status).toBe(200);
    await until(async () => (await inboxFiles()) === 0);
  });
});
