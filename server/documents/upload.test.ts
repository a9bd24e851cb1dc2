import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildInvoice, buildSignedIn } from '#server/testing/builders.ts';
import { sampleJpeg, samplePdf, samplePng, sampleWebp } from '#server/testing/sample-files.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import {
  buildDrafter,
  buildSubmitted,
  type Drafter,
  encodeForm,
  filePart,
  filesOnDisk,
  type Part,
  upload,
  uploadParts,
} from '#server/testing/uploads.ts';

const FILE_TYPE_MESSAGE = 'Document not saved. Make sure it is a picture of the document or a pdf';
const TEN_MEGABYTES = 10 * 1024 * 1024;
const PROOF_OF_DELIVERY = 2;

let app: TestApp;
let drafter: Drafter;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
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

/** Runs something that must leave rows and files exactly as they were. */
async function expectNothingKept(attempt: () => Promise<unknown>): Promise<void> {
  const { db } = app.platform;
  const count = async () => ({
    files: (await filesOnDisk(app)).sort(),
    documents: await db.selectFrom('documents').select('tag').orderBy('id').execute(),
    events: await db.selectFrom('audit_events').select('id').orderBy('id').execute(),
    pending: await db.selectFrom('pending_files').selectAll().execute(),
    discarded: await db.selectFrom('discarded_files').selectAll().execute(),
  });
  const before = await count();
  await attempt();
  expect(await count()).toEqual(before);
}

/** A PDF of exactly that many bytes. */
function pdfOfSize(bytes: number): Buffer {
  const [head, tail] = [Buffer.from('%PDF-1.4\n%'), Buffer.from('\n%%EOF\n')];
  return Buffer.concat([head, Buffer.alloc(bytes - head.length - tail.length, 'x'), tail]);
}

function zipOf(name: string, content: string): Buffer {
  const data = deflateRawSync(Buffer.from(content));
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), data]);
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
        size_bytes: content.length,
        sha256: createHash('sha256').update(content).digest(),
        uploaded_at: app.clock.now(),
        uploaded_by: drafter.person.id,
      });
      expect(row?.storage_key).toMatch(/^2026-11\/[0-9a-f]{32}$/);
      const viewed = await app.platform.files.read(row?.storage_key ?? '');
      expect(viewed.size).toBe(content.length);
      viewed.content.destroy();
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
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      },
    });
    expect(Object.keys(Object(event?.after))).toHaveLength(6);
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
      await expectNothingKept(async () => {
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

describe('what a file is, its content says', () => {
  const html = '<!doctype html><html><body><script>alert(1)</script></body></html>';
  const refused: readonly (readonly [string, string, string, Buffer])[] = [
    ['a page called a picture', 'photo.png', 'image/png', Buffer.from(html)],
    ['an SVG', 'drawing.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an SVG with a prologue', 'drawing.png', 'image/png', Buffer.from('<?xml version="1.0"?><svg/>')],
    ['a program', 'scan.pdf', 'application/pdf', Buffer.concat([Buffer.from('MZ\x90\0'), randomBytes(600)])],
    ['an archive', 'scan.pdf', 'application/pdf', zipOf('invoice.txt', 'an invoice')],
    ['a GIF', 'scan.png', 'image/png', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0', 'latin1')],
    ['plain text', 'note.pdf', 'application/pdf', Buffer.from('Invoice 42: UGX 1,000,000')],
    ['an empty file', 'scan.pdf', 'application/pdf', Buffer.alloc(0)],
    ['no file chosen, as a browser sends it', '', 'application/octet-stream', Buffer.alloc(0)],
    ['a PDF after something else', 'scan.pdf', 'application/pdf', Buffer.concat([Buffer.from(html), samplePdf()])],
    ['a PDF cut off', 'scan.pdf', 'application/pdf', samplePdf().subarray(0, -40)],
    ['a PDF whose end is buried', 'scan.pdf', 'application/pdf', Buffer.concat([samplePdf(), Buffer.alloc(5000)])],
    ['the first bytes of a PDF', 'scan.pdf', 'application/pdf', Buffer.from('%PDF-')],
    ['an animated PNG', 'scan.png', 'image/png', animated(samplePng())],
  ];

  function animated(png: Buffer): Buffer {
    const control = Buffer.from('000000086163544c000000010000000 0f38d93700'.replaceAll(' ', ''), 'hex');
    return Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
  }

  it.each(refused)('refuses %s', async (_, fileName, type, content) => {
    await expectNothingKept(async () => {
      const { status, body } = await uploadParts(drafter.caller, [
        { name: 'invoiceTag', content: drafter.invoice.tag },
        { name: 'typeId', content: '2' },
        filePart(content, fileName, type),
      ]);
      expect([status, body]).toEqual([415, { success: false, code: 'FILE_TYPE', msg: FILE_TYPE_MESSAGE }]);
    });
  });

  it('takes a PDF with a little padding after its end', async () => {
    const content = Buffer.concat([samplePdf(), Buffer.alloc(500)]);
    expect((await upload(drafter.caller, fields(), content)).status).toBe(200);
  });

  it('takes a picture that is called a page, under a name that says what it is', async () => {
    await upload(drafter.caller, fields(), samplePng(), 'page.html');
    expect(await documentsOf(drafter.invoice.id)).toMatchObject([
      { file_name: 'page.html.png', media_type: 'image/png' },
    ]);
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

describe('refusals', () => {
  it('name every field that is missing or wrong', async () => {
    const invoiceTag: Part = { name: 'invoiceTag', content: drafter.invoice.tag };
    const typeId: Part = { name: 'typeId', content: '2' };
    const file = filePart(samplePng());
    const cases: readonly (readonly [readonly Part[], Record<string, string>])[] = [
      [
        [],
        {
          invoiceTag: 'Not a valid reference',
          typeId: 'Select the type of document',
          file: 'Choose a file',
        },
      ],
      [[invoiceTag, typeId], { file: 'Choose a file' }],
      [[typeId, file], { invoiceTag: 'Not a valid reference' }],
      [[file, invoiceTag], { typeId: 'Select the type of document' }],
      [[{ ...invoiceTag, content: 'INV-1' }, typeId, file], { invoiceTag: 'Not a valid reference' }],
      [[invoiceTag, { ...typeId, content: '0' }, file], { typeId: 'Select the type of document' }],
      [[invoiceTag, { ...typeId, content: '' }, file], { typeId: 'Select the type of document' }],
      [[invoiceTag, typeId, { name: 'note', content: 'x' }, file], { note: 'This field is not known' }],
      [[invoiceTag, invoiceTag, typeId, file], { invoiceTag: 'Not a valid reference' }],
      [
        [invoiceTag, typeId, { ...file, name: 'document' }],
        { document: 'This field is not known', file: 'Choose a file' },
      ],
      [[invoiceTag, typeId, { name: 'file', content: 'as text' }], { file: 'Choose a file' }],
      [
        [invoiceTag, { ...file, name: 'typeId', fileName: '2' }],
        { typeId: 'Select the type of document', file: 'Choose a file' },
      ],
    ];
    await expectNothingKept(async () => {
      for (const [parts, expected] of cases) {
        const { status, body } = await uploadParts(drafter.caller, parts);
        expect([status, body.code, body.fields]).toEqual([400, 'BAD_REQUEST', expected]);
      }
    });
  });

  it('name every field of a body that is no form', async () => {
    const { status, body } = await drafter.caller.post('/files/upload', { invoiceTag: drafter.invoice.tag, typeId: 2 });
    expect([status, Object.keys(body.fields)]).toEqual([400, ['invoiceTag', 'typeId', 'file']]);
  });

  it('of two files leave neither', async () => {
    await expectNothingKept(async () => {
      const parts = [
        { name: 'invoiceTag', content: drafter.invoice.tag },
        { name: 'typeId', content: '2' },
        filePart(samplePng()),
        filePart(sampleJpeg()),
      ];
      expect((await uploadParts(drafter.caller, parts)).status).toBe(400);
    });
  });

  it('of bodies that end too soon leave nothing, wherever they end', async () => {
    const parts = [
      filePart(randomBytes(200_000)),
      { name: 'invoiceTag', content: drafter.invoice.tag },
      { name: 'typeId', content: '2' },
    ];
    const { payload, headers } = encodeForm(parts);
    await expectNothingKept(async () => {
      for (const end of [10, 120, 1000, 150_000, 200_100, 200_200, payload.length - 30]) {
        const options = { method: 'POST', url: '/files/upload', headers, payload: payload.subarray(0, end) } as const;
        const { status, body } = await drafter.caller.call(options);
        expect([end, status, body.code]).toEqual([end, 400, 'MALFORMED']);
      }
    });
  });

  it('answer a foreign invoice exactly like one that does not exist, in either order of the parts', async () => {
    const other = await buildDrafter(app);
    await expectNothingKept(async () => {
      for (const invoiceTag of [other.invoice.tag, randomUUID()]) {
        const tag: Part = { name: 'invoiceTag', content: invoiceTag };
        const type: Part = { name: 'typeId', content: '2' };
        for (const parts of [
          [tag, type, filePart(samplePng())],
          [filePart(samplePng()), tag, type],
        ]) {
          const { status, body } = await uploadParts(drafter.caller, parts);
          expect([status, body]).toEqual([404, { success: false, code: 'NOT_FOUND', msg: 'Not found' }]);
        }
      }
    });
  });

  it('come in the order of the wire: form, row, state, reference, size, type', async () => {
    const submitted = await buildSubmitted(app, drafter);
    const codes = async (invoiceTag: string, typeId: string, content: Buffer) => {
      const fieldParts = [
        { name: 'invoiceTag', content: invoiceTag },
        { name: 'typeId', content: typeId },
      ];
      const fieldsFirst = await uploadParts(drafter.caller, [...fieldParts, filePart(content)]);
      const fileFirst = await uploadParts(drafter.caller, [filePart(content), ...fieldParts]);
      return [fieldsFirst.body.code, fileFirst.body.code];
    };
    const [noDocument, huge] = [Buffer.alloc(10), Buffer.alloc(TEN_MEGABYTES + 1)];
    expect(await codes(randomUUID(), 'x', noDocument)).toEqual(['BAD_REQUEST', 'BAD_REQUEST']);
    expect(await codes(randomUUID(), '99', noDocument)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(await codes(submitted.tag, '99', noDocument)).toEqual(['NOT_EDITABLE', 'NOT_EDITABLE']);
    expect(await codes(drafter.invoice.tag, '99', noDocument)).toEqual(['UNKNOWN_REFERENCE', 'UNKNOWN_REFERENCE']);
    expect(await codes(drafter.invoice.tag, '2', noDocument)).toEqual(['FILE_TYPE', 'FILE_TYPE']);
    // Too large a file ends the reading: what comes after it is not known.
    expect(await codes(randomUUID(), '99', huge)).toEqual(['NOT_FOUND', 'FILE_TOO_LARGE']);
    expect(await codes(drafter.invoice.tag, '2', huge)).toEqual(['FILE_TOO_LARGE', 'FILE_TOO_LARGE']);
  });

  it('name the field of an unknown type', async () => {
    const { status, body } = await upload(drafter.caller, { ...fields(), typeId: 7 }, samplePng());
    expect([status, body.code, body.fields]).toEqual([
      422,
      'UNKNOWN_REFERENCE',
      { typeId: 'Choose one of the options offered' },
    ]);
  });

  it('meet whatever comes after submission', async () => {
    const { tag: invoiceTag } = await buildSubmitted(app, drafter);
    await expectNothingKept(async () => {
      const { status, body } = await upload(drafter.caller, { invoiceTag, typeId: 4 }, samplePng());
      expect([status, body.code]).toEqual([409, 'NOT_EDITABLE']);
    });
  });

  it('meet whoever is no client, before the form is looked at', async () => {
    const staff = await buildSignedIn(app, { perms: ['KSTAF'] });
    const nobody = await buildSignedIn(app, { perms: [] });
    const both = await buildSignedIn(app, { perms: ['BIDA', 'KADMIN'], businessId: drafter.person.businessId });
    await expectNothingKept(async () => {
      for (const { caller } of [staff, nobody, both]) {
        expect((await upload(caller, fields(), samplePng())).body.code).toBe('FORBIDDEN');
        expect((await uploadParts(caller, [])).body.code).toBe('FORBIDDEN');
      }
      expect((await upload(app.visitor(), fields(), samplePng())).body.code).toBe('NOT_SIGNED_IN');
      const crossSite = { 'sec-fetch-site': 'cross-site' };
      expect((await upload(drafter.caller, fields(), samplePng(), 'a.png', crossSite)).body.code).toBe('CROSS_SITE');
    });
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

  it('of another type or for another invoice stands beside it', async () => {
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
    await expectNothingKept(async () => {
      const repeat = await upload(drafter.caller, fields(), samplePng(), 'a.png', key);
      expect([repeat.status, repeat.body]).toEqual([200, first.body]);
    });
  });

  it('is refused with another file or type', async () => {
    await upload(drafter.caller, fields(), samplePng(), 'a.png', key);
    await expectNothingKept(async () => {
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
