import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { PART_BYTES } from '#contract/documents/schema.ts';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { createApp } from '#server/app.ts';
import { sweepFiles } from '#server/documents/store/stored-files.service.ts';
import { buildSignedIn } from '#testing/builders.ts';
import { childEnvironment } from '#testing/child-environment.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';
import { TEST_SECRET } from '#testing/test-platform.ts';
import { until } from '#testing/until.ts';
import { buildDrafter, type Drafter, filesOnDisk } from '#testing/uploads.ts';
import { begin, begun, partOf, pdfOfSize, sendPart, sendParts } from '#testing/uploads-in-parts.ts';

/** Uploads in parts: calls that come at once or twice, and a server that is killed. */

const CONTENT = pdfOfSize(3 * PART_BYTES + 1);

const app = appOfFile();
let drafter: Drafter;
beforeEach(async () => {
  drafter = await buildDrafter(app);
});

const place = () => ({ invoiceTag: drafter.invoice.tag, typeId: 1 });
const finish = (caller: TestCaller, tag: string) => caller.post(`/files/uploads/${tag}/finish`, {});

/** Asserts that exactly one document with one file exists, and nothing else. */
async function expectOneDocument(documentTag: string): Promise<void> {
  const { db, config } = app.platform;
  const own = await db.selectFrom('documents').selectAll().where('invoice_id', '=', drafter.invoice.id).execute();
  expect(own.map(({ tag }) => tag)).toEqual([documentTag]);
  app.clock.advance(2 * HOUR_SECONDS); // what a killed server left is an hour old
  await sweepFiles(app.platform);
  const all = await db.selectFrom('documents').select('storage_key').execute();
  const expected = all.map(({ storage_key }) => join(config.dataDir, 'documents', storage_key));
  const kept = (await filesOnDisk(app)).filter((path) => !path.includes('/inbox/'));
  expect(kept.sort()).toEqual(expected.sort());
  expect(await db.selectFrom('upload_parts').select('part').execute()).toEqual([]);
}

describe('calls at once', () => {
  it('begin one upload, and each part is kept once, through two servers', async () => {
    const second = await createApp(app.platform);
    await second.ready();
    const servers = [app.server, second];
    let turn = 0;
    const cookie = [...drafter.caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const either: TestCaller = {
      ...drafter.caller,
      call: async ({ url, headers, ...options }) => {
        turn += 1;
        const response = await (servers[turn % 2] ?? second).inject({
          ...options,
          url: `/api/v1${url}`,
          headers: { 'sec-fetch-site': 'same-origin', ...headers, cookie },
        });
        const { statusCode: status, rawPayload: raw } = response;
        return { status, body: response.json(), raw, headers: response.headers };
      },
    };
    const beginnings = await Promise.all(Array.from({ length: 8 }, () => begin(drafter.caller, place(), CONTENT)));
    const [tag = '', ...others] = new Set(beginnings.map(({ body }) => body.data.tag));
    expect(others).toEqual([]);
    const sent = await Promise.all([1, 2, 3].map(() => sendParts(either, tag, CONTENT)));
    expect(sent.flat().map(({ status }) => status)).toEqual(Array(12).fill(200));
    const answer = await finish(drafter.caller, tag);
    expect(answer.status).toBe(200);
    await expectOneDocument(answer.body.data.tag);
    await second.close();
  });

  it('finish it once, and all get the same answer', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT);
    await sendParts(drafter.caller, tag, CONTENT);
    const answers = await Promise.all(Array.from({ length: 6 }, () => finish(drafter.caller, tag)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const [documentTag = '', ...others] = new Set(answers.map(({ body }) => body.data.tag));
    expect(others).toEqual([]);
    expect((await finish(drafter.caller, tag)).body.data.tag).toBe(documentTag);
    await expectOneDocument(documentTag);
  });

  it('begin twenty of one client, and twelve are left', async () => {
    const { businessId } = drafter.person;
    const people = await Promise.all([1, 2, 3, 4].map(() => buildSignedIn(app, { perms: ['BIDA'], businessId })));
    const beginnings = await Promise.all(
      people.flatMap(({ caller }, index) =>
        [1, 2, 3, 4, 5].map((typeId) => begin(caller, { ...place(), typeId }, samplePdf(`from ${index}`))),
      ),
    );
    const left = await app.platform.db
      .selectFrom('unfinished_uploads')
      .select('tag')
      .where('invoice_id', '=', drafter.invoice.id)
      .execute();
    expect(left).toHaveLength(12);
    expect(beginnings.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  it('begin it while its invoice is deleted, and are told that it is gone', async () => {
    const { db } = app.platform;
    const beginning = await db.inTransaction(async (change) => {
      await change.deleteFrom('invoices').where('id', '=', drafter.invoice.id).execute();
      const sent = begin(drafter.caller, place(), CONTENT);
      await until(async () => {
        const { rows } = await sql`select from pg_locks where not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(db);
        return rows.length > 0;
      });
      return { sent };
    });
    const { status, body } = await beginning.sent;
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('give it up while its parts come: nothing is left, and nothing breaks', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      const tag = await begun(drafter.caller, place(), CONTENT);
      const [sent] = await Promise.all([
        sendParts(drafter.caller, tag, CONTENT),
        sleep(round * 3).then(() => drafter.caller.call({ method: 'DELETE', url: `/files/uploads/${tag}` })),
      ]);
      for (const { status } of sent) statuses.add(status);
      expect(await app.platform.db.selectFrom('upload_parts').select('part').execute()).toEqual([]);
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 404)).toEqual([]);
  });
});

describe('a server that is killed', () => {
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  /** Starts a second server, and returns a function with which the drafter calls it. */
  async function startVictim(): Promise<(method: string, path: string, body: Buffer | string) => Promise<Response>> {
    const { host, port, user } = inject('cluster');
    const script = join(import.meta.dirname, '../../../testing/servers/uploads.child.ts');
    const instant = app.clock.now().toISOString();
    child = spawn(process.execPath, [script, host, String(port), user, app.database.name, TEST_SECRET, instant], {
      env: childEnvironment({ NODE_ENV: 'test', DATA_DIR: app.platform.config.dataDir, LOG_LEVEL: 'error' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout === null) throw new Error('the server says nothing');
    const [said]: [Buffer] = (await once(child.stdout, 'data')) as [Buffer];
    const cookie = [...drafter.caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return (method, path, body) =>
      fetch(`http://127.0.0.1:${said.toString().trim()}/api/v1${path}`, {
        method,
        headers: {
          cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
        },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      });
  }

  async function kill(): Promise<void> {
    if (child === undefined) throw new Error('nobody to kill');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  it('leaves its acknowledged parts to another server, which continues after them', async () => {
    const call = await startVictim();
    const tag = await begun(drafter.caller, place(), CONTENT);
    expect((await call('PUT', `/files/uploads/${tag}/parts/0`, partOf(CONTENT, 0))).status).toBe(200);
    const cut = call('PUT', `/files/uploads/${tag}/parts/1`, partOf(CONTENT, 1)).catch(() => undefined);
    await kill();
    await cut;
    const { arrived } = (await begin(drafter.caller, place(), CONTENT)).body.data;
    expect(arrived[0]).toBe(0);
    const missing = [0, 1, 2, 3].filter((part) => !arrived.includes(part));
    for (const part of missing) await sendPart(drafter.caller, tag, part, partOf(CONTENT, part));
    const answer = await finish(drafter.caller, tag);
    expect(answer.status).toBe(200);
    await expectOneDocument(answer.body.data.tag);
  });

  it.each([0, 15, 40, 80, 160])('leaves an end of %i ms to another server, which finishes it once', async (delayMs) => {
    const call = await startVictim();
    const tag = await begun(drafter.caller, place(), CONTENT);
    await sendParts(drafter.caller, tag, CONTENT);
    const cut = call('POST', `/files/uploads/${tag}/finish`, '{}').catch(() => undefined);
    await sleep(delayMs);
    await kill();
    await cut;
    const answer = await finish(drafter.caller, tag);
    expect(answer.status).toBe(200);
    await expectOneDocument(answer.body.data.tag);
  });
});
