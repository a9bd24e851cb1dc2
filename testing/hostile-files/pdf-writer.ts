import { deflateSync } from 'node:zlib';

/** Writes one-page PDFs by hand, so that the tests control every byte. */

/** The bodies of objects by their numbers; 1 is the catalog. */
export type PdfObjects = Readonly<Record<number, string>>;

const PAGE_TEXT = 'BT /F1 20 Tf 72 720 Td (A document) Tj ET';

/**
 * The objects of a plain page, with optional additions to the catalog or the page, and more objects from number 6 on.
 */
export function plainObjects(more: { catalog?: string; page?: string; objects?: PdfObjects } = {}): PdfObjects {
  return {
    1: `<< /Type /Catalog /Pages 2 0 R ${more.catalog ?? ''} >>`,
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${more.page ?? ''} >>`,
    4: `<< /Length ${PAGE_TEXT.length} >>\nstream\n${PAGE_TEXT}\nendstream`,
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more.objects,
  };
}

interface Written {
  readonly body: string;
  readonly offsets: ReadonlyMap<number, number>;
}

function writeObjects(objects: PdfObjects, head: string): Written {
  let body = head;
  const offsets = new Map<number, number>();
  for (const [number, object] of Object.entries(objects)) {
    offsets.set(Number(number), body.length);
    body += `${number} 0 obj\n${object}\nendobj\n`;
  }
  return { body, offsets };
}

/** A cross-reference table and trailer for these offsets. */
function writeTable({ body, offsets }: Written, trailer: string): string {
  const sections = [...offsets]
    .map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`)
    .join('');
  const size = Math.max(...offsets.keys()) + 1;
  return `${body}xref\n0 1\n0000000000 65535 f \n${sections}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`;
}

/** A PDF in the format of 1993. */
export function classicPdf(objects: PdfObjects, { trailer = '', head = '%PDF-1.7\n' } = {}): Buffer {
  return Buffer.from(writeTable(writeObjects(objects, head), trailer), 'latin1');
}

/** Like {@link classicPdf}, with an appended update that replaces earlier objects by these. */
export function updatedPdf(objects: PdfObjects, update: PdfObjects): Buffer {
  const before = classicPdf(objects).toString('latin1');
  const previous = /startxref\n(\d+)/.exec(before)?.[1];
  return Buffer.from(writeTable(writeObjects(update, before), `/Prev ${previous}`), 'latin1');
}

/**
 * A PDF whose table points into a picture's data for the catalog; a reader that goes from top to bottom uses the other
 * catalog.
 */
export function buriedPdf(hidden: PdfObjects, shown: PdfObjects): Buffer {
  const inner = writeObjects({ 1: hidden[1] ?? '' }, '').body;
  const { 1: catalog = '', ...rest } = shown;
  const all = { ...rest, ...Object.fromEntries(Object.entries(hidden).filter(([number]) => Number(number) > 5)) };
  const written = writeObjects(
    { ...all, 90: `<< /Length ${inner.length} >>\nstream\n${inner}\nendstream`, 1: catalog },
    '%PDF-1.7\n',
  );
  const offsets = new Map(written.offsets).set(1, written.body.indexOf(inner));
  return Buffer.from(writeTable({ ...written, offsets }, ''), 'latin1');
}

interface Packing {
  readonly type?: string;
  readonly level?: number;
  /** Added to the dictionaries of the object stream and of the reference stream. */
  readonly more?: string;
  readonly trailer?: string;
  readonly padding?: Buffer;
  /** The number of the object stream; the reference stream gets the next one. */
  readonly number?: number;
}

/** A PDF in the format of 2003: everything except streams is packed in an object stream. */
export function packedPdf(objects: PdfObjects, packing: Packing = {}): Buffer {
  const stream = packing.number ?? 80;
  const streams = Object.entries(objects).filter(([, object]) => object.includes('\nstream\n'));
  const packed = Object.entries(objects).filter(([, object]) => !object.includes('\nstream\n'));
  const written = writeObjects(Object.fromEntries(streams), '%PDF-1.7\n');
  let [pairs, inner] = ['', ''];
  for (const [number, object] of packed) {
    pairs += `${number} ${inner.length} `;
    inner += `${object}\n`;
  }
  const content = Buffer.concat([Buffer.from(pairs + inner, 'latin1'), packing.padding ?? Buffer.alloc(0)]);
  const data = deflateSync(content, { level: packing.level ?? 6 });
  const dictionary = `<< ${packing.type ?? '/Type /ObjStm'} /N ${packed.length} /First ${pairs.length} /Filter /FlateDecode /Length ${data.length} ${packing.more ?? ''} >>`;
  const head = Buffer.from(`${written.body}${stream} 0 obj\n${dictionary}\nstream\n`, 'latin1');
  const body = Buffer.concat([head, data, Buffer.from('\nendstream\nendobj\n')]);
  const places = new Map<number, readonly [number, number, number]>([[0, [0, 0, 255]]]);
  for (const [number, at] of written.offsets) places.set(number, [1, at, 0]);
  for (const [index, [number]] of packed.entries()) places.set(Number(number), [2, stream, index]);
  places.set(stream, [1, written.body.length, 0]);
  places.set(stream + 1, [1, body.length, 0]);
  return Buffer.concat([body, referenceStream(places, body.length, packing.trailer ?? '')]);
}

function referenceStream(
  places: ReadonlyMap<number, readonly [number, number, number]>,
  at: number,
  trailer: string,
): Buffer {
  const numbers = [...places.keys()].sort((one, other) => one - other);
  const rows = numbers.map((number) => {
    const row = Buffer.alloc(9);
    const [kind, place, last] = places.get(number) ?? [0, 0, 0];
    row.writeUInt8(kind, 0);
    row.writeUInt32BE(place, 1);
    row.writeUInt32BE(last, 5);
    return row;
  });
  const data = deflateSync(Buffer.concat(rows));
  const index = numbers.map((number) => `${number} 1`).join(' ');
  const dictionary = `<< /Type /XRef /Size ${(numbers.at(-1) ?? 0) + 1} /Root 1 0 R /W [1 4 4] /Index [${index}] /Filter /FlateDecode /Length ${data.length} ${trailer} >>`;
  return Buffer.concat([
    Buffer.from(`${numbers.at(-1)} 0 obj\n${dictionary}\nstream\n`, 'latin1'),
    data,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`),
  ]);
}
