import PDFDocument from 'pdfkit';

/** A PDF with a page for each of the texts, as a program that writes invoices makes them: its font is not in it. */
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
