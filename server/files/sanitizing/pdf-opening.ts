import { getDocument, PasswordException, VerbosityLevel } from 'unpdf/pdfjs';
import type { PdfVerdict } from './pdf-inspection.ts';

/**
 * Opens a PDF with pdf.js, the reader that is built into Firefox, and goes to its first page: what nobody could look at
 * is no document. A second opinion on what {@link PdfVerdict} is about, by the way that a reader takes through the file.
 */
export async function openPdf(content: Buffer): Promise<PdfVerdict> {
  const opening = getDocument({
    data: new Uint8Array(content), // a copy: it is given away
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
  });
  try {
    const document = await opening.promise;
    await document.getPage(1);
    const hasMore = (await document.getJSActions()) !== null || (await document.getAttachments()) !== null;
    return hasMore ? 'FILE_ACTIVE' : 'harmless';
  } catch (error) {
    return error instanceof PasswordException ? 'FILE_LOCKED' : 'FILE_TYPE';
  } finally {
    await opening.destroy();
  }
}
