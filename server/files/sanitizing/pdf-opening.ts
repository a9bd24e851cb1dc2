import { getDocument, PasswordException, VerbosityLevel } from 'unpdf/pdfjs';

/** Reads a PDF with pdf.js, the reader of Firefox: a second opinion with another parser. */
export type OpenedPdf =
  | { readonly outcome: 'opened'; readonly isActive: boolean }
  | { readonly outcome: 'locked' | 'unreadable' };

/** Opens a PDF and loads its first page. A file that nobody can open is not a document. */
export async function openPdf(content: Uint8Array): Promise<OpenedPdf> {
  const opening = getDocument({
    data: new Uint8Array(content), // a copy, because pdf.js takes ownership
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
  });
  try {
    const document = await opening.promise;
    await document.getPage(1);
    const isActive = (await document.getJSActions()) !== null || (await document.getAttachments()) !== null;
    return { outcome: 'opened', isActive };
  } catch (error) {
    return { outcome: error instanceof PasswordException ? 'locked' : 'unreadable' };
  } finally {
    await opening.destroy();
  }
}
