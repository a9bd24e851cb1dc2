import { PDFContext, PDFName, PDFRawStream, PDFRef } from '@cantoo/pdf-lib';
import { writePdf } from '#server/files/sanitizing/pdf-writing.ts';

/**
 * A PDF of one page with a text, already in the form in which PDFs are stored, so that an upload of it is kept byte for
 * byte.
 */
export function writtenPdf(text: string, padding = Buffer.alloc(0)): Buffer {
  const context = PDFContext.create();
  const ref = (number: number) => PDFRef.of(number);
  const stream = (bytes: Buffer) => PDFRawStream.of(context.obj({ Length: bytes.length }), bytes);
  context.assign(ref(1), context.obj({ Type: 'Catalog', Pages: ref(2) }));
  context.assign(ref(2), context.obj({ Type: 'Pages', Kids: [ref(3)], Count: 1 }));
  context.assign(
    ref(3),
    context.obj({
      Type: 'Page',
      Parent: ref(2),
      MediaBox: [0, 0, 595, 842],
      Contents: [ref(4), ref(6)],
      Resources: { Font: { F1: ref(5) } },
    }),
  );
  context.assign(ref(4), stream(Buffer.from(`BT /F1 20 Tf 72 720 Td (${text.replaceAll(/[\\()]/g, '\\$&')}) Tj ET`)));
  context.assign(ref(5), context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: PDFName.of('Helvetica') }));
  context.assign(ref(6), stream(padding));
  context.trailerInfo.Root = ref(1);
  return writePdf(context);
}
