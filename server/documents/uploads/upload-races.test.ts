import { createHash } from 'node:crypto';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweepFiles } from '#server/documents/store/stored-files.service.ts';
import { buildInvoice, buildReadyInvoice, submittedColumns } from '#testing/builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';
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

const app = appOfFile();
let port: number;
let drafter: Drafter;
beforeAll(async () => {
  port = Number(new URL(await app.server.listen({ host: '127.0.0.1', port: 0 })).port);
});
beforeEach(async () => {
  drafter = await buildDrafter(app);
});

/** Asserts, while nothing is running, that every file belongs to a document and every document has its file. */
async function expectStoreInStep(): Promise<void> {
  const { db, config } = app.platform;
  const documents = await db.selectFrom('documents').select('storage_key').execute();
  const expected = documents.map(({ storage_key }) => join(config.dataDir, 'documents', storage_key));
  expect((await filesOnDisk(app)).sort()).toEqual(expected.sort());
  expect(await db.selectFrom('pending_files').selectAll().execute()).toEqual([]);
}

describe('uploads at once', () => {
  it('leave one document of a type and, after the sweep, one file', async () => {
    const fields = { invoiceTag: drafter.invoice.tag, typeId: 1 };
    const contents = Array.from({ length: 20 }, (_, index) => samplePdf(`version ${index}`));
    const answers = await Promise.all(contents.map((content) => upload(drafter.caller, fields, content)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const rows = await app.platform.db
      .selectFrom('documents')
      .selectAll()
      .where('invoice_id', '=', drafter.invoice.id)
      .execute();
    expect(rows).toHaveLength(1);
    const winner = answers.findIndex(({ body }) => body.data.tag === rows[0]?.tag);
    expect(rows[0]?.sha256).toEqual(
      createHash('sha256')
        .update(contents[winner] ?? '')
        .digest(),
    );
    await sweepFiles(app.platform);
    await expectStoreInStep();
  });

  it('land wholly before a concurrent submit, or are refused with 409', async () => {
    const stored: string[] = [];
    for (const delayMs of [0, 5, 10, 20, 40, undefined]) {
      const { tag } = await buildReadyInvoice(app, drafter.person);
      const sent = [1, 2, 3, 4, 5, 6].map((typeId) =>
        upload(drafter.caller, { invoiceTag: tag, typeId }, samplePdf(`after ${delayMs}`)),
      );
      // We send the last submit as soon as one upload is done, so that it really races the others.
      await (delayMs === undefined ? Promise.race(sent) : sleep(delayMs));
      const submitted = await drafter.caller.post(`/applications/${tag}/submit`);
      expect(submitted.status).toBe(200);
      const uploads = await Promise.all(sent);
      const refused = uploads.filter(({ status }) => status !== 200);
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [409, 'NOT_EDITABLE']));
      const tags = uploads.filter(({ status }) => status === 200).map(({ body }) => body.data.tag);
      await expectUploadsBeforeSubmit(tag, tags);
      stored.push(...tags);
    }
    expect(stored.length).toBeGreaterThan(0);
    await sweepFiles(app.platform);
    await expectStoreInStep();
  });

  it('are refused if they wait while the invoice is submitted, and their files go', async () => {
    const { tag, id } = await buildReadyInvoice(app, drafter.person);
    const { db } = app.platform;
    const uploads = await db.inTransaction(async (change) => {
      await change.selectFrom('invoices').select('id').where('id', '=', id).forUpdate().execute();
      const sent = [1, 2, 3].map((typeId) => upload(drafter.caller, { invoiceTag: tag, typeId }, samplePdf()));
      // Each has been admitted and is in the store; now they wait for the row.
      await until(async () => (await db.selectFrom('pending_files').select('storage_key').execute()).length === 3);
      const submitted = submittedColumns(app, drafter.person.id);
      await change.updateTable('invoices').set(submitted).where('id', '=', id).execute();
      return sent;
    });
    for (const { status, body } of await Promise.all(uploads)) {
      expect([status, body.code]).toEqual([409, 'NOT_EDITABLE']);
    }
    await expectStoreInStep();
  });

  /** Audit ids are assigned under the invoice's lock, so they show the order. */
  async function expectUploadsBeforeSubmit(invoiceTag: string, documentTags: readonly string[]): Promise<void> {
    const { db } = app.platform;
    const submitted = await db
      .selectFrom('audit_events')
      .select('id')
      .where('subject_tag', '=', invoiceTag)
      .where('action', '=', 'application.submit')
      .executeTakeFirstOrThrow();
    for (const tag of documentTags) {
      const event = await db
        .selectFrom('audit_events')
        .select('id')
        .where('subject_tag', '=', tag)
        .executeTakeFirstOrThrow();
      expect(event.id).toBeLessThan(submitted.id);
    }
  }

  it('a deletion with a submit: never a submitted application without its documents', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { tag, documentTag, id } = await buildReadyInvoice(app, drafter.person);
      const [deleted, submitted] = await Promise.all([
        drafter.caller.call({ method: 'DELETE', url: `/files/${documentTag}` }),
        drafter.caller.post(`/applications/${tag}/submit`),
      ]);
      expect([
        [200, 409],
        [409, 200],
      ]).toContainEqual([deleted.status, submitted.status]);
      const documents = await app.platform.db
        .selectFrom('documents')
        .select('id')
        .where('invoice_id', '=', id)
        .execute();
      expect(documents).toHaveLength(submitted.status === 200 ? 3 : 2);
    }
  });

  it('leave no file if the invoice is deleted at the same time, in either order', async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await buildInvoice(app, drafter.person);
      const fields = { invoiceTag: invoice.tag, typeId: 1 };
      const [uploaded, deleted] = await Promise.all([
        upload(drafter.caller, fields, samplePdf()),
        sleep(2 * round).then(() => drafter.caller.call({ method: 'DELETE', url: `/invoices/${invoice.tag}` })),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(uploaded.status);
    }
    await sweepFiles(app.platform);
    await expectStoreInStep();
  });
});

/** Opens an upload on a real socket; the caller writes the body. */
function openUpload(caller: TestCaller, headers: Record<string, string | number>, agent?: Agent): ClientRequest {
  return request({
    host: '127.0.0.1',
    port,
    path: '/api/v1/files/upload',
    method: 'POST',
    ...(agent === undefined ? {} : { agent }),
    headers: {
      cookie: [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  });
}

function answerOf(sent: ClientRequest): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response: IncomingMessage) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
  });
}

function formFor(invoiceTag: string, content: Buffer) {
  return encodeForm([...uploadFields({ invoiceTag, typeId: 1 }), filePart(content)]);
}

describe('an upload over a real connection', () => {
  const inboxFiles = async () => (await filesOnDisk(app)).filter((path) => path.includes('/inbox/')).length;

  it.each([1, 3])('leaves nothing when %i clients vanish in the middle of it', async (clients) => {
    const { payload, headers } = formFor(drafter.invoice.tag, Buffer.alloc(2_000_000, samplePdf()));
    const before = await filesOnDisk(app);
    const sent = Array.from({ length: clients }, () => {
      const opened = openUpload(drafter.caller, { ...headers, 'content-length': payload.length });
      opened.on('error', () => undefined); // it is we who break it off
      opened.write(payload.subarray(0, 1_000_000));
      return opened;
    });
    await until(async () => (await inboxFiles()) === clients);
    for (const opened of sent) opened.destroy();
    await until(async () => (await inboxFiles()) === 0);
    expect(await filesOnDisk(app)).toEqual(before);
    await expectStoreInStep();
    expect(await app.platform.db.selectFrom('discarded_files').selectAll().execute()).toEqual([]);
  });

  it('is stored in small pieces and without a length', async () => {
    const content = samplePdf();
    const { payload, headers } = formFor(drafter.invoice.tag, content);
    const opened = openUpload(drafter.caller, headers);
    const answer = answerOf(opened);
    for (let start = 0; start < payload.length; start += 97) {
      opened.write(payload.subarray(start, start + 97));
      await sleep(1);
    }
    opened.end();
    const { status, body } = await answer;
    expect([status, JSON.parse(body).success]).toEqual([200, true]);
  });

  it('gets its refusal after the client has sent everything, and the connection stays open', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const stranger = await buildDrafter(app);
    const sockets = new Set<number | undefined>();
    const send = async (invoiceTag: string, content: Buffer) => {
      const { payload, headers } = formFor(invoiceTag, content);
      const opened = openUpload(drafter.caller, { ...headers, 'content-length': payload.length }, agent);
      opened.once('socket', (socket) => {
        if (socket.localPort === undefined) socket.once('connect', () => sockets.add(socket.localPort));
        else sockets.add(socket.localPort);
      });
      opened.end(payload);
      return (await answerOf(opened)).status;
    };
    expect(await send(stranger.invoice.tag, Buffer.alloc(9_000_000))).toBe(404);
    expect(await send(drafter.invoice.tag, Buffer.alloc(25_000_000))).toBe(413);
    expect(await send(drafter.invoice.tag, Buffer.alloc(9_000_000))).toBe(415);
    expect(await send(drafter.invoice.tag, samplePdf())).toBe(200);
    expect(sockets.size).toBe(1);
    agent.destroy();
    await expectStoreInStep();
  });
});
