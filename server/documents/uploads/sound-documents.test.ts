import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import { classicPdf, plainObjects } from '#testing/hostile-files/pdf-writer.ts';
import { activeParts, pageTexts, runQpdf } from '#testing/hostile-files/stored-pdf.ts';
import type { SoundDocument } from '#testing/sound-documents/sound-document.ts';
import { soundPdfs } from '#testing/sound-documents/sound-pdfs.ts';
import { soundPhotos } from '#testing/sound-documents/sound-photos.ts';
import { appOfFile } from '#testing/test-app.ts';
import { buildDrafter, type Drafter, filePart, uploadFields, uploadParts } from '#testing/uploads.ts';

/** Every sound document is accepted with its text (docs/decisions/0016); others are refused with the true reason. */

/** Where tests run often, we upload only one in this many documents. */
const OF_MANY = 9;

const all = [...(await soundPdfs()), ...(await soundPhotos())];
const documents = full ? all : all.filter((_, index) => index % OF_MANY === 0);
let taken = 0;

const app = appOfFile();
let drafter: Drafter;
beforeAll(async () => {
  drafter = await buildDrafter(app);
});
afterAll(() => {
  if (taken === documents.length)
    proved('sound-documents', `${taken} of ${documents.length} sound PDFs and photos taken`);
});

function send({ fileName, type, content }: Pick<SoundDocument, 'fileName' | 'type' | 'content'>) {
  return uploadParts(drafter.caller, [
    ...uploadFields({ invoiceTag: drafter.invoice.tag, typeId: 1 }),
    filePart(content, fileName, type),
  ]);
}

async function stored(tag: string) {
  const found = app.platform.db.selectFrom('documents').selectAll().where('tag', '=', tag);
  const row = await found.executeTakeFirstOrThrow();
  return { row, content: await buffer((await app.platform.files.read(row.storage_key)).content) };
}

describe('sound documents', () => {
  it('are 400 or more, each of them another', () => {
    expect(all.length).toBeGreaterThanOrEqual(400);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(documents.length).toBeGreaterThanOrEqual(rounds(40, 400));
  });

  it('would be found with another text, or with a script left in it (canary)', async () => {
    const catalog = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>';
    const scripted = classicPdf(plainObjects({ catalog }));
    expect(await activeParts(scripted)).toEqual(expect.arrayContaining(['/OpenAction', '/JavaScript', '/JS']));
    const other = classicPdf(plainObjects({ objects: { 4: '<< /Length 0 >>\nstream\n\nendstream' } }));
    expect(await pageTexts(other)).not.toEqual(['A document']);
    canaryFound('sound-documents', 'a page that lost its text and a script that was left in were found');
  });

  it.each(documents)(
    '$name',
    async (document) => {
      const { body } = await send(document);
      expect([body.code, body.success]).toEqual([undefined, true]);
      const { row, content } = await stored(body.data.tag);
      expect(row.removed).toBe(document.removed);
      if (document.type === 'application/pdf') {
        expect(await pageTexts(content)).toEqual(['A document']);
        // Fonts and elements may have any name.
        if (!document.name.includes('called /')) expect(await activeParts(content)).toEqual([]);
      } else await sharp(content, { failOn: 'warning' }).stats();
      taken += 1;
    },
    MINUTE_MS,
  );
});

describe('the reason of a refusal', () => {
  const plain = classicPdf(plainObjects());
  const photo = (length: number) =>
    sharp({
      create: {
        width: 400,
        height: 300,
        channels: 3,
        background: '#753',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .jpeg()
      .toBuffer()
      .then((jpeg) => jpeg.subarray(0, Math.floor(jpeg.length * length)));
  it.each([
    ['a password', () => runQpdf(plain, ['--encrypt', 'user', 'owner', '256', '--']), 'FILE_LOCKED'],
    [
      'a lock of another program',
      async () =>
        Buffer.from(classicPdf(plainObjects(), { trailer: '/Encrypt << /Filter /Other /V 9 >> /ID [(a) (a)]' })),
      'FILE_PROTECTED',
    ],
    ['a photo that ends too soon', () => photo(0.6), 'FILE_CUT_OFF'],
    ['a photo that ends a little too soon', () => photo(0.98), 'FILE_CUT_OFF'],
    ['an HEIC photo', async () => Buffer.from('\0\0\0\x20ftypheic\0\0\0\0heicmif1', 'latin1'), 'FILE_HEIC'],
    ['a page', async () => Buffer.from('<!doctype html><p>Invoice'), 'FILE_TYPE'],
    ['a PDF without objects', async () => Buffer.from('%PDF-1.7\n%%EOF'), 'FILE_BROKEN'],
  ] as const)('%s', async (_, make, code) => {
    const { body } = await send({ fileName: 'a.pdf', type: 'application/pdf', content: await make() });
    expect(body.code).toBe(code);
  });

  it('is told in the list of documents when something was taken out', async () => {
    const invoice = all.find(({ removed }) => removed === 'attachments');
    if (invoice === undefined) throw new Error('no electronic invoice');
    await send(invoice);
    const { body } = await drafter.caller.get(`/invoices/documents/${drafter.invoice.tag}`);
    expect(body[0].note).toBe('For safety we took out attached files. The pages are kept.');
  });
});
