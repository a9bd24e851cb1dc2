import { randomBytes, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildSignedIn } from '#testing/builders.ts';
import { sampleJpeg, samplePdf, samplePng } from '#testing/sample-files.ts';
import { appOfFile } from '#testing/test-app.ts';
import {
  buildDrafter,
  buildSubmitted,
  type Drafter,
  encodeForm,
  expectNothingKept,
  filePart,
  type Part,
  upload,
  uploadFields,
  uploadParts,
} from '#testing/uploads.ts';

const FILE_TYPE_MESSAGE = 'Document not saved. Make sure it is a picture of the document or a pdf';
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
    ['the first bytes of a PDF', 'scan.pdf', 'application/pdf', Buffer.from('%PDF-')],
  ];

  function animated(png: Buffer): Buffer {
    const control = Buffer.from('000000086163544c000000010000000 0f38d93700'.replaceAll(' ', ''), 'hex');
    return Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
  }

  it.each(refused)('refuses %s', async (_, fileName, type, content) => {
    await expectNothingKept(app, async () => {
      const { status, body } = await uploadParts(drafter.caller, [
        ...uploadFields({ invoiceTag: drafter.invoice.tag, typeId: 2 }),
        filePart(content, fileName, type),
      ]);
      expect([status, body]).toEqual([415, { success: false, code: 'FILE_TYPE', msg: FILE_TYPE_MESSAGE }]);
    });
  });

  it.each([
    ['a PDF after something else', Buffer.concat([Buffer.from(html), samplePdf()])],
    ['a PDF without its table', samplePdf().subarray(0, -40)],
    ['a PDF with padding after its end', Buffer.concat([samplePdf(), Buffer.alloc(5000)])],
    ['an animated PNG', animated(samplePng())],
  ])('takes %s', async (_, content) => {
    const { body } = await upload(drafter.caller, fields(), content);
    expect([body.code, body.success]).toEqual([undefined, true]);
  });

  it('takes a picture that is called a page, under a name that says what it is', async () => {
    await upload(drafter.caller, fields(), samplePng(), 'page.html');
    expect(await documentsOf(drafter.invoice.id)).toMatchObject([
      { file_name: 'page.html.png', media_type: 'image/png' },
    ]);
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
    await expectNothingKept(app, async () => {
      for (const [parts, expected] of cases) {
        const { status, body } = await uploadParts(drafter.caller, parts);
        expect([status, body.code, body.fields]).toEqual([400, 'BAD_REQUEST', expected]);
      }
    });
  });

  it('answer a body that is no form with 415, and name every field of an empty form', async () => {
    const { status, body } = await drafter.caller.post('/files/upload', { invoiceTag: drafter.invoice.tag, typeId: 2 });
    expect([status, body]).toEqual([
      415,
      { success: false, code: 'MEDIA_TYPE', msg: 'The request has the wrong format' },
    ]);
    const empty = await uploadParts(drafter.caller, []);
    expect([empty.status, Object.keys(empty.body.fields)]).toEqual([400, ['invoiceTag', 'typeId', 'file']]);
  });

  it('store neither of two files', async () => {
    await expectNothingKept(app, async () => {
      const parts = [
        ...uploadFields({ invoiceTag: drafter.invoice.tag, typeId: 2 }),
        filePart(samplePng()),
        filePart(sampleJpeg()),
      ];
      expect((await uploadParts(drafter.caller, parts)).status).toBe(400);
    });
  });

  it('store nothing of a body that ends too soon, wherever it ends', async () => {
    const parts = [filePart(randomBytes(200_000)), ...uploadFields({ invoiceTag: drafter.invoice.tag, typeId: 2 })];
    const { payload, headers } = encodeForm(parts);
    await expectNothingKept(app, async () => {
      for (const end of [10, 120, 1000, 150_000, 200_100, 200_200, payload.length - 30]) {
        const options = { method: 'POST', url: '/files/upload', headers, payload: payload.subarray(0, end) } as const;
        const { status, body } = await drafter.caller.call(options);
        expect([end, status, body.code]).toEqual([end, 400, 'MALFORMED']);
      }
    });
  });

  it('answer a foreign invoice exactly like one that does not exist, in either order of the parts', async () => {
    const other = await buildDrafter(app);
    await expectNothingKept(app, async () => {
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
    // A file that is too large ends the reading, so we never see the fields after it.
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

  it('meet every upload after submission', async () => {
    const { tag: invoiceTag } = await buildSubmitted(app, drafter);
    await expectNothingKept(app, async () => {
      const { status, body } = await upload(drafter.caller, { invoiceTag, typeId: 4 }, samplePng());
      expect([status, body.code]).toEqual([409, 'NOT_EDITABLE']);
    });
  });

  it('meet callers who are no clients, before the form is read', async () => {
    const staff = await buildSignedIn(app, { perms: ['KSTAF'] });
    const nobody = await buildSignedIn(app, { perms: [] });
    const both = await buildSignedIn(app, { perms: ['BIDA', 'KADMIN'], businessId: drafter.person.businessId });
    await expectNothingKept(app, async () => {
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
