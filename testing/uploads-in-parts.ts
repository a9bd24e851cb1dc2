import { createHash } from 'node:crypto';
import { PART_BYTES, partsOf } from '#contract/documents/schema.ts';
import type { Answer, TestCaller } from './test-app.ts';
import { writtenPdf } from './written-pdf.ts';

/** Bytes that are not valid UTF-8, as in pictures and compressed PDFs. */
const NO_TEXT = Buffer.from([0x00, 0x80, 0xe9, 0xff, 0xc3, 0x28, 0xfe, 0x5c]);

/** A PDF of exactly `bytes` bytes. */
export function pdfOfSize(bytes: number, text?: string): Buffer {
  // Offsets grow with the padding, and with them the space that they take up.
  for (let [padding, tries] = [bytes - 700, 0]; tries < 50; tries += 1) {
    const pdf = writtenPdf(
      text ?? 'A sample document',
      Buffer.concat([Buffer.from('%'), Buffer.alloc(padding, NO_TEXT)]),
    );
    if (pdf.length === bytes) return pdf;
    padding += bytes - pdf.length;
  }
  throw new Error(`no PDF of ${bytes} bytes`);
}

/** The body that starts an upload of a file. */
export function describeFile(content: Buffer, fileName = 'scan.pdf') {
  return { fileName, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Starts or resumes an upload in parts. */
export function begin(
  caller: TestCaller,
  place: { readonly invoiceTag: string; readonly typeId: number },
  content: Buffer,
  fileName?: string,
): Promise<Answer> {
  return caller.post('/files/uploads', { ...place, ...describeFile(content, fileName) });
}

/** Starts an upload that must be accepted; returns its tag. */
export async function begun(...args: Parameters<typeof begin>): Promise<string> {
  const { status, body } = await begin(...args);
  if (status !== 200) throw new Error(`the beginning answered ${status}: ${JSON.stringify(body)}`);
  return body.data.tag;
}

/** The bytes of one part. */
export function partOf(content: Buffer, part: number): Buffer {
  return content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
}

/** Sends one part, or the content that a test gives instead. */
export function sendPart(
  caller: TestCaller,
  tag: string,
  part: number | string,
  payload: Buffer,
  type = 'application/octet-stream',
): Promise<Answer> {
  return caller.call({
    method: 'PUT',
    url: `/files/uploads/${tag}/parts/${part}`,
    payload,
    headers: { 'content-type': type },
  });
}

/** Sends every part at once. */
export function sendParts(caller: TestCaller, tag: string, content: Buffer): Promise<Answer[]> {
  const parts = Array.from({ length: partsOf(content.length) }, (_, part) => part);
  return Promise.all(parts.map((part) => sendPart(caller, tag, part, partOf(content, part))));
}
