import { createHash } from 'node:crypto';
import { PART_BYTES, partsOf } from '#contract/documents/schema.ts';
import { samplePdf } from './sample-files.ts';
import type { Answer, TestCaller } from './test-app.ts';

/** Bytes that are no text in UTF-8, as pictures and packed PDFs are made of. */
const NO_TEXT = Buffer.from([0x00, 0x80, 0xe9, 0xff, 0xc3, 0x28, 0xfe, 0x5c]);

/** A PDF of exactly that many bytes. */
export function pdfOfSize(bytes: number, text?: string): Buffer {
  const whole = samplePdf(text);
  const end = whole.subarray(whole.lastIndexOf('startxref'));
  return Buffer.concat([
    whole,
    Buffer.from('%'),
    Buffer.alloc(bytes - whole.length - end.length - 2, NO_TEXT),
    Buffer.from('\n'),
    end,
  ]);
}

/** What the beginning of an upload says of a file. */
export function describeFile(content: Buffer, fileName = 'scan.pdf') {
  return { fileName, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Begins an upload in parts, or goes on with it. */
export function begin(
  caller: TestCaller,
  place: { readonly invoiceTag: string; readonly typeId: number },
  content: Buffer,
  fileName?: string,
): Promise<Answer> {
  return caller.post('/files/uploads', { ...place, ...describeFile(content, fileName) });
}

/** Begins an upload that nothing stands in the way of; its tag. */
export async function begun(...args: Parameters<typeof begin>): Promise<string> {
  const { status, body } = await begin(...args);
  if (status !== 200) throw new Error(`the beginning answered ${status}: ${JSON.stringify(body)}`);
  return body.data.tag;
}

/** The bytes of one part. */
export function partOf(content: Buffer, part: number): Buffer {
  return content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
}

/** Sends one part, or what a test puts in its place. */
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
