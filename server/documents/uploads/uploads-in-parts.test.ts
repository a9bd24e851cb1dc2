import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { PART_BYTES } from '#contract/documents/schema.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { buildInvoice, buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';
import { buildDrafter, type Drafter, expectNothingKept, filesOnDisk } from '#testing/uploads.ts';
import { begin, begun, describeFile, partOf, pdfOfSize, sendPart, sendParts } from '#testing/uploads-in-parts.ts';
import { sweepUploads } from './uploads.service.ts';

/** Uploads in parts (docs/decisions/0025-uploads-that-resume.md). */

const CONTENT = pdfOfSize(2 * PART_BYTES + 1000);

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let drafter: Drafter;
beforeEach(async () => {
  drafter = await buildDrafter(app);
});

const place = () => ({ invoiceTag: drafter.invoice.tag, typeId: 2 });
const finish = (tag: string, caller = drafter.caller) => caller.post(`/files/uploads/${tag}/finish`, {});
const cancel = (tag: string, caller = drafter.caller) =>
  caller.call({ method: 'DELETE', url: `/files/uploads/${tag}` });

function documents() {
  return app.platform.db.selectFrom('documents').selectAll().where('invoice_id', '=', drafter.invoice.id).execute();
}

/** How many parts of this drafter's uploads are stored. */
async function partsKept(): Promise<number> {
  const rows = await app.platform.db
    .selectFrom('upload_parts')
    .innerJoin('unfinished_uploads as upload', 'upload.id', 'upload_id')
    .select('part')
    .where('upload.person_id', '=', drafter.person.id)
    .execute();
  return rows.length;
}

describe('an upload in parts', () => {
  it('becomes the document that one request would have made', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT, 'delivery note.pdf');
    for (const { status, body } of await sendParts(drafter.caller, tag, CONTENT))
      expect([status, body]).toEqual([200, { success: true }]);
    const { status, body } = await finish(tag);
    expect([status, body]).toEqual([200, { success: true, data: { tag: expect.stringMatching(/^[\da-f-]{36}$/) } }]);
    const [row, ...others] = await documents();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      tag: body.data.tag,
      document_type_id: 2,
      file_name: 'delivery note.pdf',
      media_type: 'application/pdf',
      size_bytes: CONTENT.length,
      sha256: createHash('sha256').update(CONTENT).digest(),
      uploaded_by: drafter.person.id,
    });
    const viewed = await drafter.caller.get(`/files/view/${body.data.tag}`);
    expect(viewed.raw.equals(CONTENT)).toBe(true);
    const events = await app.platform.db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_tag', '=', body.data.tag)
      .execute();
    expect(events).toEqual([{ action: 'document.uploaded' }]);
    expect(await partsKept()).toBe(0);
    expect((await filesOnDisk(app)).filter((path) => path.includes('/inbox/'))).toEqual([]);
  });

  it('keeps of a name what can be shown, as one request does', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT, 'no\u0000te\u202e\tof\ud800 May.pdf');
    await sendParts(drafter.caller, tag, CONTENT);
    expect((await finish(tag)).status).toBe(200);
    expect(await documents()).toMatchObject([{ file_name: 'note of May.pdf' }]);
  });

  it('is finished without a payload, or with an empty one, and with nothing else', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT);
    await sendParts(drafter.caller, tag, CONTENT);
    const answer = await drafter.caller.post(`/files/uploads/${tag}/finish`, { anything: 1 });
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect((await drafter.caller.post(`/files/uploads/${tag}/finish`)).status).toBe(200);
    expect((await finish(tag)).status).toBe(200);
  });

  it('resumes where it broke off, if it starts with the same file again', async () => {
    const first = await begin(drafter.caller, place(), CONTENT);
    expect(first.body.data.arrived).toEqual([]);
    const { tag } = first.body.data;
    await sendPart(drafter.caller, tag, 2, partOf(CONTENT, 2));
    await sendPart(drafter.caller, tag, 0, partOf(CONTENT, 0));
    const again = await begin(drafter.caller, place(), CONTENT);
    expect(again.body.data).toEqual({ tag, arrived: [0, 2] });
    expect((await finish(tag)).body.code).toBe('UPLOAD_INCOMPLETE');
    await sendPart(drafter.caller, tag, 1, partOf(CONTENT, 1));
    expect((await finish(tag)).status).toBe(200);
    const anew = await begin(drafter.caller, place(), CONTENT);
    expect(anew.body.data.tag).not.toBe(tag);
  });

  it('is another one for another file, type, invoice or person', async () => {
    const { invoice } = await buildDrafter(app);
    const second = await buildInvoice(app, drafter.person);
    const partner = await buildSignedIn(app, { perms: ['BIDA'], businessId: drafter.person.businessId });
    const tags = [
      await begun(drafter.caller, place(), CONTENT),
      await begun(drafter.caller, place(), samplePdf()),
      await begun(drafter.caller, { ...place(), typeId: 3 }, CONTENT),
      await begun(drafter.caller, { ...place(), invoiceTag: second.tag }, CONTENT),
      await begun(partner.caller, place(), CONTENT),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect((await begin(drafter.caller, { invoiceTag: invoice.tag, typeId: 2 }, CONTENT)).status).toBe(404);
  });

  it('keeps the first of two parts with one number, and takes a late one without a word', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT);
    await sendParts(drafter.caller, tag, CONTENT);
    expect((await sendPart(drafter.caller, tag, 0, Buffer.alloc(PART_BYTES))).status).toBe(200);
    expect((await finish(tag)).status).toBe(200);
    expect((await sendPart(drafter.caller, tag, 0, partOf(CONTENT, 0))).status).toBe(200);
    expect(await partsKept()).toBe(0);
  });

  it('is cancelled with its parts; the document that it became stays', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT);
    await sendParts(drafter.caller, tag, CONTENT);
    expect((await cancel(tag)).body).toEqual({ success: true });
    expect(await partsKept()).toBe(0);
    expect((await finish(tag)).status).toBe(404);
    const second = await begun(drafter.caller, place(), CONTENT);
    await sendParts(drafter.caller, second, CONTENT);
    await finish(second);
    expect((await cancel(second)).status).toBe(200);
    expect(await documents()).toHaveLength(1);
  });

  it('is one under one Idempotency-Key, and the same key with another file is 422', async () => {
    const send = (content: Buffer) =>
      drafter.caller.post('/files/uploads', { ...place(), ...describeFile(content) }, { 'idempotency-key': 'begin-1' });
    const first = await send(CONTENT);
    expect((await send(CONTENT)).body).toEqual(first.body);
    expect((await send(samplePdf())).body.code).toBe('IDEMPOTENCY_MISMATCH');
  });
});

describe('a wrong upload in parts', () => {
  it.each([
    ['of more than 10 MB', { size: 10 * 1024 * 1024 + 1 }, 413, 'FILE_TOO_LARGE'],
    ['of nothing', { size: 0 }, 400, 'BAD_REQUEST'],
    ['without a digest', { sha256: 'abc' }, 400, 'BAD_REQUEST'],
    ['for an unknown type', { typeId: 99 }, 422, 'UNKNOWN_REFERENCE'],
    ['with a key that is not known', { part: 1 }, 400, 'BAD_REQUEST'],
  ])('%s', async (_, wrong, status, code) => {
    const answer = await drafter.caller.post('/files/uploads', { ...place(), ...describeFile(CONTENT), ...wrong });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('is hidden from everybody but the person who began it, at every step', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT);
    const partner = await buildSignedIn(app, { perms: ['BIDA'], businessId: drafter.person.businessId });
    const stranger = await buildDrafter(app);
    for (const { caller } of [partner, stranger]) {
      expect((await sendPart(caller, tag, 0, partOf(CONTENT, 0))).status).toBe(404);
      expect((await finish(tag, caller)).status).toBe(404);
      expect((await cancel(tag, caller)).status).toBe(404);
    }
    expect(await partsKept()).toBe(0);
    await sendParts(drafter.caller, tag, CONTENT);
    expect((await finish(tag)).status).toBe(200);
  });

  it('is refused by part: of another length, beyond the last, too long, or in another form', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT);
    const codes: [unknown, number, string][] = [
      [await sendPart(drafter.caller, tag, 0, partOf(CONTENT, 2)), 400, 'BAD_REQUEST'],
      [await sendPart(drafter.caller, tag, 2, partOf(CONTENT, 0)), 400, 'BAD_REQUEST'],
      [await sendPart(drafter.caller, tag, 3, partOf(CONTENT, 2)), 404, 'NOT_FOUND'],
      [await sendPart(drafter.caller, tag, '-1', partOf(CONTENT, 0)), 404, 'NOT_FOUND'],
      [await sendPart(drafter.caller, tag, '00', partOf(CONTENT, 0)), 404, 'NOT_FOUND'],
      [await sendPart(drafter.caller, tag, 0, CONTENT.subarray(0, PART_BYTES + 1)), 413, 'BODY_TOO_LARGE'],
      [await sendPart(drafter.caller, tag, 0, Buffer.from('{}'), 'application/json'), 415, 'MEDIA_TYPE'],
      [await sendPart(drafter.caller, tag, 0, Buffer.alloc(0)), 400, 'BAD_REQUEST'],
    ];
    for (const [answer, status, code] of codes) expect(answer).toMatchObject({ status, body: { code } });
    expect(await partsKept()).toBe(0);
  });

  it('is refused elsewhere, where bytes are no known form', async () => {
    const answer = await drafter.caller.call({
      method: 'POST',
      url: '/files/uploads',
      payload: CONTENT.subarray(0, 100),
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect([answer.status, answer.body.code]).toEqual([415, 'MEDIA_TYPE']);
  });

  it('is refused at its end if it is no picture or PDF, or not the announced file', async () => {
    await expectNothingKept(app, async () => {
      const text = Buffer.alloc(PART_BYTES + 5, 'no document');
      const wrong = await begun(drafter.caller, place(), text);
      await sendParts(drafter.caller, wrong, text);
      expect((await finish(wrong)).body.code).toBe('FILE_TYPE');

      const damaged = await begun(drafter.caller, place(), CONTENT);
      await sendParts(drafter.caller, damaged, Buffer.concat([CONTENT.subarray(0, -1), Buffer.from('!')]));
      expect((await finish(damaged)).body.code).toBe('FILE_DAMAGED');
      // The upload starts from the beginning instead of resuming a damaged one.
      expect((await begin(drafter.caller, place(), CONTENT)).body.data.arrived).toEqual([]);
    });
  });

  it('is refused at its beginning and its end once the application is submitted', async () => {
    const { tag: invoiceTag } = await buildReadyInvoice(app, drafter.person);
    const tag = await begun(drafter.caller, { invoiceTag, typeId: 4 }, CONTENT);
    await sendParts(drafter.caller, tag, CONTENT);
    expect((await drafter.caller.post(`/applications/${invoiceTag}/submit`)).status).toBe(200);
    expect((await finish(tag)).body.code).toBe('NOT_EDITABLE');
    expect((await begin(drafter.caller, { invoiceTag, typeId: 4 }, samplePdf())).body.code).toBe('NOT_EDITABLE');
  });
});

describe('unfinished uploads', () => {
  it('are at most six a person: the one left longest goes', async () => {
    const tags: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      tags.push(await begun(drafter.caller, place(), samplePdf(`file ${index}`)));
      app.clock.advance(1);
      // Continuing the first upload keeps it from being dropped.
      if (index === 5) await sendPart(drafter.caller, tags[0] ?? '', 0, samplePdf('file 0'));
    }
    const found = await Promise.all(tags.map(async (tag) => (await finish(tag)).body.code ?? 'stored'));
    expect(found).toEqual(['stored', 'NOT_FOUND', ...Array(5).fill('UPLOAD_INCOMPLETE')]);
  });

  it('are at most twelve a client: the one left longest goes, whosever it is', async () => {
    const people = [drafter.caller];
    for (let index = 0; index < 2; index += 1) {
      const { caller } = await buildSignedIn(app, { perms: ['BIDA'], businessId: drafter.person.businessId });
      people.push(caller);
    }
    const stranger = await buildDrafter(app);
    const strangers = await begun(stranger.caller, { invoiceTag: stranger.invoice.tag, typeId: 2 }, CONTENT);
    const started: { tag: string; caller: TestCaller }[] = [];
    for (let index = 0; index < 13; index += 1) {
      const caller = people[index % 3] ?? drafter.caller;
      started.push({ caller, tag: await begun(caller, place(), samplePdf(`file ${index}`)) });
      app.clock.advance(1);
      if (index === 10) await sendPart(drafter.caller, started[0]?.tag ?? '', 0, samplePdf('file 0'));
    }
    const found = await Promise.all(started.map(async ({ tag, caller }) => (await finish(tag, caller)).body.code));
    expect(found).toEqual([undefined, 'NOT_FOUND', ...Array(11).fill('UPLOAD_INCOMPLETE')]);
    expect((await finish(strangers, stranger.caller)).body.code).toBe('UPLOAD_INCOMPLETE');
  });

  it('are forgotten a day after anybody continued them, with their parts', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT);
    app.clock.advance(11 * HOUR_SECONDS);
    await sendPart(drafter.caller, tag, 0, partOf(CONTENT, 0));
    app.clock.advance(DAY_SECONDS);
    await sweepUploads(app.platform);
    expect(await partsKept()).toBe(1);
    app.clock.advance(1);
    await sweepUploads(app.platform);
    expect(await partsKept()).toBe(0);
    expect(
      await app.platform.db.selectFrom('unfinished_uploads').select('id').where('tag', '=', tag).execute(),
    ).toEqual([]);
  });

  it('go with their invoice', async () => {
    const tag = await begun(drafter.caller, place(), CONTENT);
    await sendParts(drafter.caller, tag, CONTENT);
    const deleted = await drafter.caller.call({ method: 'DELETE', url: `/invoices/${drafter.invoice.tag}` });
    expect(deleted.status).toBe(200);
    expect(await partsKept()).toBe(0);
    expect((await sendPart(drafter.caller, tag, 0, partOf(CONTENT, 0))).status).toBe(404);
  });
});
