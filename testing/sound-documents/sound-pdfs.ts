import { classicPdf, type PdfObjects, packedPdf, plainObjects, updatedPdf } from '#testing/hostile-files/pdf-writer.ts';
import { runQpdf } from '#testing/hostile-files/stored-pdf.ts';
import type { SoundDocument } from './sound-document.ts';

/** Sound PDFs in the structures that programs write: various contents, notations and surroundings. */

interface Content {
  readonly objects: PdfObjects;
  readonly removed?: string;
}

const annotation = (more: string): { page: string; objects: PdfObjects } => ({
  page: '/Annots [6 0 R]',
  objects: { 6: `<< /Type /Annot /Rect [72 700 300 740] ${more} >>` },
});
const linkTo = (address: string) => plainObjects(annotation(`/Subtype /Link /A << /S /URI /URI (${address}) >>`));
const titled = (title: string): PdfObjects => ({
  ...plainObjects(),
  9: `<< /Title (${title}) /Producer (Own test) >>`,
});
const attached = '<< /Type /EmbeddedFile /Subtype /text#2Fxml /Length 10 >>\nstream\n<invoice/>\nendstream';

/** Names that a program may give to its fonts, layers or elements, even if they sound suspicious. */
function namedLike(name: string): PdfObjects {
  const objects = plainObjects({
    catalog: '/StructTreeRoot 7 0 R /MarkInfo << /Marked true >>',
    objects: {
      7: '<< /Type /StructTreeRoot /K 8 0 R >>',
      8: `<< /S /${name} /P 7 0 R /A << /O /Layout /Placement /Block >> >>`,
    },
  });
  const text = `BT /${name} 20 Tf 72 720 Td (A document) Tj ET`;
  return {
    ...objects,
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /${name} 5 0 R >> >> >>`,
    4: `<< /Length ${text.length} >>\\nstream\\n${text}\\nendstream`.replaceAll('\\n', '\n'),
  };
}

const contents: Readonly<Record<string, Content>> = {
  'a plain page': { objects: plainObjects() },
  'a title with /Sound': { objects: titled('Invoice 1003 - DJ/Sound hire') },
  'a title with JavaScript:': { objects: titled('Invoice 12 JavaScript: 3 days of training') },
  'a title with /Launch and /EmbeddedFile': {
    objects: titled('Product /Launch, /EmbeddedFile course, /OpenAction /AA'),
  },
  'a link to /Movie': { objects: linkTo('https://shop.example/Movie') },
  'a link to /JS/XFA': { objects: linkTo('https://shop.example/JS/XFA?a=/EF') },
  'a font called /AA': { objects: namedLike('AA') },
  'a font called /JavaScript': { objects: namedLike('JavaScript') },
  'a font called /EmbeddedFiles': { objects: namedLike('EmbeddedFiles') },
  bookmarks: {
    objects: plainObjects({
      catalog: '/Outlines 6 0 R /PageMode /UseOutlines',
      objects: {
        6: '<< /First 7 0 R /Last 7 0 R /Count 1 >>',
        7: '<< /Title (Sound) /Parent 6 0 R /Dest [3 0 R /Fit] >>',
      },
    }),
  },
  'an opening page': { objects: plainObjects({ catalog: '/OpenAction [3 0 R /FitH null]' }) },
  'a note': { objects: plainObjects(annotation('/Subtype /Text /Contents (Paid /Sound)')) },
  'a filled form': {
    objects: plainObjects({
      ...annotation('/Subtype /Widget /FT /Tx /T (total) /V (1,000,000) /DA (/F1 12 Tf)'),
      catalog: '/AcroForm << /Fields [6 0 R] /DR << /Font << /F1 5 0 R >> >> /DA (/F1 12 Tf) >>',
    }),
  },
  'a form with scripts': {
    objects: plainObjects({
      ...annotation(
        '/Subtype /Widget /FT /Tx /T (total) /V (1) /AA << /C << /S /JavaScript /JS (AFSimple_Calculate\\("SUM"\\)) >> >>',
      ),
      catalog: '/AcroForm << /Fields [6 0 R] /CO [6 0 R] >>',
    }),
    removed: 'scripts',
  },
  'a form with a static XFA': {
    objects: plainObjects({ catalog: '/AcroForm << /Fields [] /XFA [(template) 6 0 R] >>', objects: { 6: '<< >>' } }),
    removed: 'scripts',
  },
  'a call to print': {
    objects: plainObjects({ catalog: '/OpenAction << /S /Named /N /Print >>' }),
    removed: 'actions',
  },
  'an electronic invoice': {
    objects: plainObjects({
      catalog: '/AF [6 0 R] /Names << /EmbeddedFiles << /Names [(factur-x.xml) 6 0 R] >> >> /PageMode /UseAttachments',
      objects: {
        6: '<< /Type /Filespec /F (factur-x.xml) /UF (factur-x.xml) /AFRelationship /Data /EF << /F 7 0 R /UF 7 0 R >> >>',
        7: attached,
      },
    }),
    removed: 'attachments',
  },
  'a signature': {
    objects: plainObjects({
      ...annotation(
        `/Subtype /Widget /FT /Sig /T (s) /V << /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <00> >>`,
      ),
      catalog: '/AcroForm << /Fields [6 0 R] /SigFlags 3 >>',
    }),
    removed: 'signatures',
  },
};

const info = (objects: PdfObjects): { trailer?: string } => (9 in objects ? { trailer: '/Info 9 0 R' } : {});
const encrypted =
  (bits: '40' | '128' | '256', more: readonly string[] = []) =>
  (objects: PdfObjects) =>
    runQpdf(classicPdf(objects, info(objects)), ['--allow-weak-crypto', '--encrypt', '', 'owner', bits, ...more, '--']);

const writers: Readonly<Record<string, (objects: PdfObjects) => Buffer | Promise<Buffer>>> = {
  'with a table': (objects) => classicPdf(objects, info(objects)),
  'with streams of objects': (objects) => packedPdf(objects, info(objects)),
  updated: (objects) => updatedPdf(plainObjects(), objects),
  linearised: (objects) => runQpdf(classicPdf(objects, info(objects)), ['--linearize']),
  'linearised with streams of objects': (objects) =>
    runQpdf(classicPdf(objects, info(objects)), ['--linearize', '--object-streams=generate']),
  'locked against changes, 40 bits': encrypted('40', ['--modify=n']),
  'locked against changes, RC4': encrypted('128', ['--modify=none']),
  'locked against changes, AES': encrypted('128', ['--use-aes=y', '--modify=none', '--print=full']),
  'locked against changes, AES of 256 bits': encrypted('256', ['--modify=none', '--print=low', '--extract=n']),
  'locked and packed': (objects) =>
    runQpdf(classicPdf(objects, info(objects)), [
      '--object-streams=generate',
      '--encrypt',
      '',
      'owner',
      '256',
      '--modify=none',
      '--',
    ]),
};

const mailHeader = 'From: supplier@example.com\r\nSubject: Invoice\r\nContent-Type: application/pdf\r\n\r\n';
const surroundings: Readonly<Record<string, (pdf: Buffer) => Buffer>> = {
  'a byte-order mark before it': (pdf) => Buffer.concat([Buffer.from('\ufeff'), pdf]),
  'a line before it': (pdf) => Buffer.concat([Buffer.from('\r\n'), pdf]),
  "a mail's header before it": (pdf) => Buffer.concat([Buffer.from(mailHeader), pdf]),
  'no end': (pdf) => pdf.subarray(0, pdf.lastIndexOf('%%EOF')),
  'bytes after it': (pdf) => Buffer.concat([pdf, Buffer.from('\r\n--boundary--\r\n'), Buffer.alloc(600)]),
  'a page of a web server after it': (pdf) => Buffer.concat([pdf, Buffer.from('\n<html><body>Footer</body></html>\n')]),
  'no table': (pdf) => Buffer.from(pdf.toString('latin1').replace(/startxref\s+\d+/g, 'startxref\n0'), 'latin1'),
  'a table that is wrong': (pdf) =>
    Buffer.from(pdf.toString('latin1').replace(/^0000000(\d{3}) 00000 n/gm, '0000009$1 00000 n'), 'latin1'),
  'an odd version': (pdf) => Buffer.concat([Buffer.from('%PDF-2.7'), pdf.subarray(8)]),
};

/** Every content in every notation, and some of them with every surrounding. */
export async function soundPdfs(): Promise<SoundDocument[]> {
  const found: SoundDocument[] = [];
  const add = (name: string, content: Buffer, removed: string | undefined) =>
    found.push({
      name: `pdf: ${name}`,
      fileName: 'invoice.pdf',
      type: 'application/pdf',
      content,
      removed: removed ?? null,
    });
  for (const [what, { objects, removed }] of Object.entries(contents)) {
    for (const [how, write] of Object.entries(writers)) add(`${what}, ${how}`, await write(objects), removed);
    for (const [around, put] of Object.entries(surroundings))
      add(`${what}, ${around}`, put(classicPdf(objects, info(objects))), removed);
  }
  return found;
}
