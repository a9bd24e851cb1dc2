import PDFDocument from 'pdfkit';

/** A file as the browser sends it. */
export interface Upload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A PNG of 64 by 64 grey pixels. */
const GREY =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKklEQVR42u3MQREAAAwCIPsnM5Yh9ttBANKjCAQCgUAgEAgEAoFAIPgeDAQKgLWRjkNPAAAAAElFTkSuQmCC';

/** The photo of a document, as a phone might send it. */
export const PHOTO: Upload = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(GREY, 'base64') };

/** A PDF with one page per text, as invoicing programs write them: its font is not embedded. */
export async function pdfWithPages(...texts: readonly string[]): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', autoFirstPage: false });
  for (const text of texts) {
    pdf.addPage().fontSize(24).text(text).moveDown();
    pdf.fontSize(10).text(`Line of ${text}. `.repeat(60));
  }
  pdf.end();
  const parts: Uint8Array[] = [];
  for await (const part of pdf) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
