import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { failures } from '#contract/errors.ts';
import { buildInvoice, buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import { type Answer, appOfFile, type TestCaller } from '#testing/test-app.ts';
import {
  buildDrafter,
  type Drafter,
  encodeForm,
  expectNothingKept,
  filePart,
  upload,
  uploadFields,
  uploadParts,
} from '#testing/uploads.ts';
import { begin, begun, pdfOfSize, sendParts } from '#testing/uploads-in-parts.ts';

/** The limit on how much of the store one client's documents may use. */

const QUOTA = 1024 * 1024;
const REFUSAL = { success: false, code: 'STORAGE_QUOTA', msg: failures.STORAGE_QUOTA.msg };

const app = appOfFile({ STORAGE_QUOTA_MB: '1' });
let drafter: Drafter;
beforeEach(async () => {
  drafter = await buildDrafter(app);
});

const place = (typeId: number, { tag } = drafter.invoice) => ({ invoiceTag: tag, typeId });
const put = (typeId: number, size: number, invoice = drafter.invoice): Promise<Answer> =>
  upload(drafter.caller, place(typeId, invoice), pdfOfSize(size));

/** How many bytes the documents of the drafter's business use. */
async function stored(): Promise<number> {
  const rows = await app.platform.db
    .selectFrom('documents')
    .innerJoin('invoices', 'invoices.id', 'documents.invoice_id')
    .select('size_bytes as size')
    .where('invoices.business_id', '=', drafter.person.businessId)
    .execute();
  return rows.reduce((sum, { size }) => sum + size, 0);
}

function unfinished() {
  return app.platform.db
    .selectFrom('unfinished_uploads')
    .select('tag')
    .where('person_id', '=', drafter.person.id)
    .execute();
}

describe('the quota of a client', () => {
  it('is full to the last byte, over all their people and invoices, and nobody else’s', async () => {
    const partner = await buildSignedIn(app, { perms: ['BIDA'], businessId: drafter.person.businessId });
    const second = await buildInvoice(app, drafter.person);
    expect((await put(1, QUOTA - 300_000)).status).toBe(200);
    expect((await put(1, 299_000, second)).status).toBe(200);
    expect((await upload(partner.caller, place(2), pdfOfSize(1001))).body).toEqual(REFUSAL);
    expect((await upload(partner.caller, place(2), pdfOfSize(1000))).status).toBe(200);
    expect(await stored()).toBe(QUOTA);
    const stranger = await buildDrafter(app);
    expect((await upload(stranger.caller, place(2, stranger.invoice), pdfOfSize(QUOTA))).status).toBe(200);
  });

  it('refuses an upload in parts at its beginning, before any of it is sent, and says what to do', async () => {
    await put(1, 900_000);
    await expectNothingKept(app, async () => {
      const { status, body } = await begin(drafter.caller, place(2), pdfOfSize(QUOTA - 900_000 + 1));
      expect([status, body]).toEqual([409, REFUSAL]);
    });
    expect(await unfinished()).toEqual([]);
    expect((await begin(drafter.caller, place(2), pdfOfSize(QUOTA - 900_000))).status).toBe(200);
  });

  it('refuses an upload in parts at its end if another took the room meanwhile; it can be finished later', async () => {
    const content = pdfOfSize(600_000);
    const tag = await begun(drafter.caller, place(1), content);
    await sendParts(drafter.caller, tag, content);
    const other = await put(2, 600_000);
    const finish = () => drafter.caller.post(`/files/uploads/${tag}/finish`);
    await expectNothingKept(app, async () => expect((await finish()).body).toEqual(REFUSAL));
    await drafter.caller.call({ method: 'DELETE', url: `/files/${other.body.data.tag}` });
    expect((await finish()).status).toBe(200);
  });

  it('refuses an upload in one request before its file is read', async () => {
    await put(1, QUOTA);
    await expectNothingKept(app, async () => {
      const answer = await answerBeforeTheFile(drafter.caller, drafter.invoice.tag);
      expect(answer).toEqual([409, REFUSAL]);
    });
  });

  it('refuses an upload in one request whose file comes first, and keeps nothing of it', async () => {
    await put(1, QUOTA);
    const parts = [filePart(pdfOfSize(2000)), ...uploadFields({ invoiceTag: drafter.invoice.tag, typeId: 2 })];
    await expectNothingKept(app, async () => {
      expect((await uploadParts(drafter.caller, parts)).body).toEqual(REFUSAL);
    });
  });

  it('is reported after the file’s own faults', async () => {
    await put(1, QUOTA - 10);
    const { body } = await upload(drafter.caller, place(2), Buffer.from('no document'));
    expect(body.code).toBe('FILE_TYPE');
  });

  it('is passed by no two uploads together that only fit alone', async () => {
    const second = await buildInvoice(app, drafter.person);
    const sent = [drafter.invoice, second].flatMap((invoice) =>
      [1, 2, 3, 4].map((typeId) => put(typeId, 300_000, invoice)),
    );
    const answers = await Promise.all(sent);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body)).toEqual(Array(5).fill(REFUSAL));
    expect(await stored()).toBe(900_000);
  });

  it('is asked for in one order with every other lock, so that nothing at once ends in a deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const draft = await buildInvoice(app, drafter.person);
      const ready = await buildReadyInvoice(app, drafter.person);
      const invoices = [draft, ready];
      const answers = await Promise.all([
        ...invoices.map((invoice) => put(4, 2000, invoice)),
        ...invoices.map((invoice) => begin(drafter.caller, place(5, invoice), pdfOfSize(2000))),
        ...invoices.map((invoice) => put(4, 3000, invoice)),
        drafter.caller.post(`/applications/${ready.tag}/submit`),
        drafter.caller.call({ method: 'DELETE', url: `/files/${ready.documentTag}` }),
        drafter.caller.call({ method: 'DELETE', url: `/invoices/${draft.tag}` }),
      ]);
      expect(answers.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([]);
    }
  });
});

describe('room in the quota', () => {
  it('is made by what a document replaces', async () => {
    await put(1, QUOTA - 10_000);
    await put(2, 10_000);
    expect((await put(2, 10_001)).body).toEqual(REFUSAL);
    expect((await put(2, 10_000)).status).toBe(200);
    expect((await put(1, QUOTA - 10_001)).status).toBe(200);
    expect((await begin(drafter.caller, place(2), pdfOfSize(10_002))).body).toEqual(REFUSAL);
    expect((await begin(drafter.caller, place(2), pdfOfSize(10_001))).status).toBe(200);
    expect(await stored()).toBe(QUOTA - 1);
  });

  it('is made by a smaller document also where a quota was lowered', async () => {
    const { body } = await put(1, 500_000);
    await put(2, 500_000);
    await app.platform.db
      .updateTable('documents')
      .set({ size_bytes: 5_000_000 })
      .where('tag', '=', body.data.tag)
      .execute();
    expect((await put(2, 500_001)).body).toEqual(REFUSAL);
    expect((await put(2, 499_999)).status).toBe(200);
  });

  it('is there at once when a document is deleted, or a draft', async () => {
    const second = await buildInvoice(app, drafter.person);
    const { body } = await put(1, 500_000);
    await put(1, 500_000, second);
    expect((await put(2, 400_000)).status).toBe(409);
    await drafter.caller.call({ method: 'DELETE', url: `/files/${body.data.tag}` });
    expect((await put(2, 400_000)).status).toBe(200);
    expect((await put(3, 500_000)).status).toBe(409);
    await drafter.caller.call({ method: 'DELETE', url: `/invoices/${second.tag}` });
    expect((await put(3, 500_000)).status).toBe(200);
  });

  it('is not asked for by a repeat, which gets its first answer', async () => {
    const send = () =>
      upload(drafter.caller, place(1), pdfOfSize(QUOTA), 'scan.pdf', { 'idempotency-key': 'the whole quota' });
    const first = await send();
    expect(first.status).toBe(200);
    expect((await send()).body).toEqual(first.body);
  });
});

/** The reply to an upload over a real connection, after its fields and the first 100 bytes of its file. */
async function answerBeforeTheFile(caller: TestCaller, invoiceTag: string): Promise<[number | undefined, unknown]> {
  const { port } = new URL(await app.server.listen({ host: '127.0.0.1', port: 0 }));
  const { payload, headers } = encodeForm([...uploadFields({ invoiceTag, typeId: 2 }), filePart(pdfOfSize(100_000))]);
  const opened = request({
    host: '127.0.0.1',
    port,
    path: '/api/v1/files/upload',
    method: 'POST',
    headers: {
      cookie: [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
      'content-length': payload.length,
      ...headers,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  opened.once('response', resolve).once('error', reject);
  opened.write(payload.subarray(0, payload.indexOf('%PDF') + 100));
  const response = await promise;
  const body = await json(response);
  opened.destroy();
  return [response.statusCode, body];
}
