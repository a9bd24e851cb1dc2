import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildInvoice } from '#testing/builders.ts';
import { sampleJpeg, samplePdf, samplePng, sampleWebp } from '#testing/sample-files.ts';
import { appOfFile } from '#testing/test-app.ts';
import {
  buildDrafter,
  type Drafter,
  expectNothingKept,
  filePart,
  filesOnDisk,
  type Part,
  upload,
  uploadParts,
} from '#testing/uploads.ts';
import { pdfOfSize } from '#testing/uploads-in-parts.ts';

const TEN_MEGABYTES = 10 * 1024 * 1024;
const PROOF_OF_DELIVERY = 2;

const app = appOfFile();
let drafter: Drafter;
beforeEach(async () => {
  drafter = await buildDrafter(app);
});

const fields = () => ({ invoiceTag: drafter.invoice.tag, typeId: PROOF_OF_DELIVERY });

function documentsOf(invoiceId: number) {
  return app.platform.db.selectFrom('documents').selectAll().where('invoice_id', '=', invoiceId).execute();
}

async function eventsOf(tag: string) {
  return app.platform.db.selectFrom('audit_events').selectAll().where('subject_tag', '=', tag).orderBy('id').execute();
}

describe('an upload', () => {
  it.each([
    ['image/png', 'delivery note.png', samplePng()],
    ['image/jpeg', 'photo.JPG', sampleJpeg()],
    ['image/webp', 'scan.webp', sampleWebp()],
    ['application/pdf', 'contract.pdf', samplePdf()],
  ])(
    'stores a %s with its size, digest and name, whatever type it is declared as',
    async (mediaType, name, content) => {
      const { status, body } = await upload(drafter.caller, fields(), content, name);
      expect(status).toBe(200);
      expect(body).toEqual({ success: true, data: { tag: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
      const [row, ...others] = await documentsOf(drafter.invoice.id);
      expect(others).toEqual([]);
      expect(row).toMatchObject({
        tag: body.data.tag,
        document_type_id: PROOF_OF_DELIVERY,
        media_type: mediaType,
        file_name: name,
        sha256: createHash('sha256').update(content).digest(),
        uploaded_at: app.clock.now(),
        uploaded_by: drafter.person.id,
      });
      expect(row?.storage_key).toMatch(/^2026-11\/[0-9a-f]{32}$/);
      const viewed = await app.platform.files.read(row?.storage_key ?? '');
      const kept = await buffer(viewed.content);
      expect(viewed.size).toBe(row?.size_bytes);
      expect(row?.stored_sha256).toEqual(createHash('sha256').update(kept).digest());
      expect(kept.equals(content)).toBe(mediaType === 'application/pdf');
    },
  );

  it('is written into the audit without its content or its place', async () => {
    const content = samplePng();
    const { body } = await upload(drafter.caller, fields(), content, 'note.png', { 'x-request-id': 'ignored' });
    const [event, ...others] = await eventsOf(body.data.tag);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      action: 'document.uploaded',
      subject_type: 'document',
      actor_tag: drafter.person.tag,
      before: null,
      after: {
        invoiceTag: drafter.invoice.tag,
        typeId: PROOF_OF_DELIVERY,
        fileName: 'note.png',
        mediaType: 'image/png',
        size: expect.any(Number),
        sha256: createHash('sha256').update(content).digest('hex'),
        // A picture is re-encoded: the stored file differs from the uploaded one.
        storedSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        removed: null,
      },
    });
    expect(Object.keys(Object(event?.after))).toHaveLength(8);
  });

  it('takes the type as a number or its decimal string, and the parts in any order', async () => {
    const tag: Part = { name: 'invoiceTag', content: drafter.invoice.tag };
    const type: Part = { name: 'typeId', content: '2' };
    const jsonType: Part = { name: 'typeId', content: '2', type: 'application/json' };
    const file = filePart(samplePng(), 'a.png');
    const orders = [
      [tag, type, file],
      [tag, file, type],
      [file, tag, type],
      [type, file, tag],
      [file, jsonType, tag],
    ];
    for (const parts of orders) {
      const { status, body } = await uploadParts(drafter.caller, parts);
      expect([status, body.success]).toEqual([200, true]);
    }
    expect(await documentsOf(drafter.invoice.id)).toHaveLength(1);
  });

  it('takes exactly 10 MB', async () => {
    const content = pdfOfSize(TEN_MEGABYTES);
    const { status, body } = await upload(drafter.caller, fields(), content);
    expect(status).toBe(200);
    const { headers } = await drafter.caller.get(`/files/view/${body.data.tag}`);
    expect(headers['content-length']).toBe(String(TEN_MEGABYTES));
  });

  it.each([TEN_MEGABYTES + 1, TEN_MEGABYTES + 70_000, 3 * TEN_MEGABYTES])(
    'refuses %i bytes and leaves nothing behind',
    async (bytes) => {
      await expectNothingKept(app, async () => {
        const { status, body } = await upload(drafter.caller, fields(), pdfOfSize(bytes));
        expect([status, body]).toEqual([
          413,
          { success: false, code: 'FILE_TOO_LARGE', msg: 'The file is larger than 10 MB' },
        ]);
      });
    },
  );

  it('takes the next upload on the same connection after a refused one', async () => {
    await upload(drafter.caller, fields(), pdfOfSize(TEN_MEGABYTES + 1));
    expect((await upload(drafter.caller, fields(), samplePng())).status).toBe(200);
  });
});

describe('names', () => {
  it.each([
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\Users\\me\\invoice.pdf', 'invoice.pdf'],
    ['/absolute/path.pdf', 'path.pdf'],
    ['..', 'document.pdf'],
    ['.pdf', 'pdf.pdf'],
    ['faktura š 💰.pdf', 'faktura š 💰.pdf'],
    ['a\u202Efdp.exe', 'afdp.exe.pdf'],
    ['tab\tand\u0007bell.pdf', 'tab andbell.pdf'],
    [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(196)}.pdf`],
    [`${'💰'.repeat(300)}.pdf`, `${'💰'.repeat(196)}.pdf`],
  ])('keeps %j as %j, and stores the file elsewhere', async (given, kept) => {
    const { status } = await upload(drafter.caller, fields(), samplePdf(), given);
    expect(status).toBe(200);
    const [row] = await documentsOf(drafter.invoice.id);
    expect(row?.file_name).toBe(kept);
    expect(row?.storage_key).toMatch(/^2026-11\/[0-9a-f]{32}$/);
  });
});

describe('a second upload of a type', () => {
  it('replaces the first, whose file goes and whose link is dead', async () => {
    const first = await upload(drafter.caller, fields(), samplePng(), 'first.png');
    const filesBefore = await filesOnDisk(app);
    const second = await upload(drafter.caller, fields(), samplePdf(), 'second.pdf');
    expect(second.status).toBe(200);
    expect(await documentsOf(drafter.invoice.id)).toMatchObject([
      { tag: second.body.data.tag, file_name: 'second.pdf' },
    ]);
    expect(await filesOnDisk(app)).toHaveLength(filesBefore.length);
    expect((await drafter.caller.get(`/files/view/${first.body.data.tag}`)).status).toBe(404);
    const [event] = await eventsOf(second.body.data.tag);
    expect(event).toMatchObject({
      action: 'document.replaced',
      before: { fileName: 'first.png', mediaType: 'image/png' },
      after: { fileName: 'second.pdf', mediaType: 'application/pdf' },
    });
  });

  it('does not replace that of another type or invoice', async () => {
    const other = await buildInvoice(app, drafter.person);
    await upload(drafter.caller, fields(), samplePng());
    await upload(drafter.caller, { ...fields(), typeId: 1 }, samplePng());
    await upload(drafter.caller, { invoiceTag: other.tag, typeId: 2 }, samplePng());
    expect(await documentsOf(drafter.invoice.id)).toHaveLength(2);
    expect(await documentsOf(other.id)).toHaveLength(1);
  });
});

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'upload-1' };

  it('lets a repeat have the first answer, storing nothing again', async () => {
    const first = await upload(drafter.caller, fields(), samplePng(), 'a.png', key);
    await expectNothingKept(app, async () => {
      const repeat = await upload(drafter.caller, fields(), samplePng(), 'a.png', key);
      expect([repeat.status, repeat.body]).toEqual([200, first.body]);
    });
  });

  it('is refused with another file or type', async () => {
    await upload(drafter.caller, fields(), samplePng(), 'a.png', key);
    await expectNothingKept(app, async () => {
      const otherFile = await upload(drafter.caller, fields(), samplePdf(), 'a.png', key);
      const otherType = await upload(drafter.caller, { ...fields(), typeId: 3 }, samplePng(), 'a.png', key);
      expect([otherFile.status, otherFile.body.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
      expect([otherType.status, otherType.body.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    });
  });

  it('lets ten at once store one file', async () => {
    const filesBefore = await filesOnDisk(app);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => upload(drafter.caller, fields(), samplePng(), 'a.png', key)),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await documentsOf(drafter.invoice.id)).toHaveLength(1);
    expect(await filesOnDisk(app)).toHaveLength(filesBefore.length + 1);
  });

  it('is free again after a refusal', async () => {
    expect((await upload(drafter.caller, fields(), Buffer.from('x'), 'a.png', key)).status).toBe(415);
    expect((await upload(drafter.caller, fields(), samplePng(), 'a.png', key)).status).toBe(200);
  });
});
