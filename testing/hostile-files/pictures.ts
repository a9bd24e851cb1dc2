import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Expected, HostileFile } from './hostile-file.ts';
import { bomb, CANARY, payloads, pngChunk } from './payloads.ts';

/** Real pictures with something else hidden in them, and pictures that try to exhaust memory or time. */

type Format = 'png' | 'jpeg' | 'webp';

/** A small picture that is not a plain surface. */
function drawing(width = 160, height = 120) {
  const lines = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" fill="#eef"/><path d="M0 0L${width} ${height}M${width} 0L0 ${height}" stroke="#247" stroke-width="5"/></svg>`;
  return sharp(Buffer.from(lines)).flatten({ background: 'white' });
}

function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function afterStart(jpeg: Buffer, segment: Buffer): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}

const HEADER_END = 33;

function afterHeader(png: Buffer, chunk: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, HEADER_END), chunk, png.subarray(HEADER_END)]);
}

function withRiffChunk(webp: Buffer, type: string, content: Buffer): Buffer {
  const padded = content.length % 2 === 0 ? content : Buffer.concat([content, Buffer.alloc(1)]);
  const head = Buffer.alloc(8, type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  const whole = Buffer.concat([webp, head, padded]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

type Insertion = (picture: Buffer, payload: Buffer) => Buffer;

const insertions: Readonly<Record<Format, Readonly<Record<string, Insertion>>>> = {
  jpeg: {
    'after its end': (jpeg, payload) => Buffer.concat([jpeg, payload]),
    'in a comment': (jpeg, payload) => afterStart(jpeg, jpegSegment(0xfe, payload)),
    'in its XMP': (jpeg, payload) =>
      afterStart(jpeg, jpegSegment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), payload]))),
    'in a colour profile': (jpeg, payload) =>
      afterStart(jpeg, jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), payload]))),
    'in a segment of a program': (jpeg, payload) =>
      afterStart(jpeg, jpegSegment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), payload]))),
  },
  png: {
    'after its end': (png, payload) => Buffer.concat([png, payload]),
    'in a text': (png, payload) => afterHeader(png, pngChunk('tEXt', Buffer.concat([Buffer.from('Title\0'), payload]))),
    'in an international text': (png, payload) =>
      afterHeader(png, pngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), payload]))),
    'in its EXIF': (png, payload) => afterHeader(png, pngChunk('eXIf', Buffer.concat([Buffer.from('MM\0*'), payload]))),
    'in a chunk of its own': (png, payload) => afterHeader(png, pngChunk('kaSt', payload)),
    'behind its last line': (png, payload) =>
      Buffer.concat([
        png.subarray(0, -12),
        pngChunk('tEXt', Buffer.concat([Buffer.from('a\0'), payload])),
        png.subarray(-12),
      ]),
  },
  webp: {
    'after its end': (webp, payload) => Buffer.concat([webp, payload]),
    'in a chunk of its own': (webp, payload) => withRiffChunk(webp, 'kast', payload),
    'in its XMP': (webp, payload) => withRiffChunk(webp, 'XMP ', payload),
    'in its EXIF': (webp, payload) => withRiffChunk(webp, 'EXIF', payload),
  },
};

function file(
  name: string,
  format: Format,
  content: Buffer,
  expected: Expected,
  fileName = `photo.${format}`,
): HostileFile {
  return { name, fileName, type: `image/${format}`, content, expected };
}

const formats: readonly Format[] = ['png', 'jpeg', 'webp'];

/** Every payload, or the chosen ones, in every position of every format; the file name claims a web page. */
export async function picturesWithPayloads(chosen = Object.keys(payloads)): Promise<HostileFile[]> {
  const found: HostileFile[] = [];
  for (const format of formats) {
    const picture = await drawing().toFormat(format).toBuffer();
    for (const [place, insert] of Object.entries(insertions[format])) {
      for (const [what, payload] of Object.entries(payloads)) {
        if (!chosen.includes(what)) continue;
        found.push(file(`${format}: ${what} ${place}`, format, insert(picture, payload), 'drawn', 'photo.html'));
      }
    }
  }
  return found;
}

const personal = {
  IFD0: { ImageDescription: CANARY, Copyright: CANARY, Model: CANARY },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '0/1 18/1 49/1', GPSLongitudeRef: 'E', GPSLongitude: '32/1 34/1 52/1' },
};

/** Metadata about a person, and kinds of pictures that decoders have trouble with. */
export async function pictureKinds(): Promise<HostileFile[]> {
  const found: HostileFile[] = [];
  for (const format of formats) {
    const tagged = drawing()
      .toFormat(format)
      .withExif(personal)
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${CANARY}</x:xmpmeta>`);
    found.push(file(`${format}: place and owner`, format, await tagged.toBuffer(), 'drawn'));
    for (const orientation of [3, 6, 8]) {
      const turned = await drawing().toFormat(format).withMetadata({ orientation }).toBuffer();
      found.push(file(`${format}: turned ${orientation}`, format, turned, 'drawn'));
    }
    const whole = await drawing(400, 300).toFormat(format).toBuffer();
    found.push(file(`${format}: cut off`, format, whole.subarray(0, Math.floor(whole.length * 0.6)), 'FILE_CUT_OFF'));
    found.push(file(`${format}: its head alone`, format, whole.subarray(0, 40), 'FILE_CUT_OFF'));
    const broken = Buffer.from(whole);
    broken.fill(0xff, Math.floor(whole.length / 2), Math.floor(whole.length / 2) + 64);
    // Damage to a JPEG or WebP may or may not be noticed; either way the stored file is a picture.
    if (format === 'png') found.push(file('png: damaged in the middle', format, broken, 'FILE_BROKEN'));
  }
  const frames = Buffer.concat([await drawing(40, 40).raw().toBuffer(), Buffer.alloc(40 * 40 * 3, 9)]);
  const animated = await sharp(frames, { raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } })
    .webp()
    .toBuffer();
  found.push(
    file('webp: animated', 'webp', animated, 'drawn'),
    file('webp: lossless', 'webp', await drawing().webp({ lossless: true }).toBuffer(), 'drawn'),
    file('jpeg: progressive', 'jpeg', await drawing().jpeg({ progressive: true }).toBuffer(), 'drawn'),
    file('jpeg: four inks', 'jpeg', await drawing().toColourspace('cmyk').jpeg().toBuffer(), 'drawn'),
    file('png: interlaced', 'png', await drawing().png({ progressive: true }).toBuffer(), 'drawn'),
    file('png: sixteen bits', 'png', await drawing().toColourspace('rgb16').png().toBuffer(), 'drawn'),
    file('png: palette', 'png', await drawing().png({ palette: true }).toBuffer(), 'drawn'),
    file('png: one pixel', 'png', await drawing(1, 1).png().toBuffer(), 'drawn'),
    file('png: a page spelled in pixels', 'png', await spelledInPixels(), 'drawn'),
  );
  return found;
}

/** Rows of pixels that spell out a payload, uncompressed, so that the file is full of it. */
async function spelledInPixels(): Promise<Buffer> {
  const [width, height] = [100, 100];
  const rows = Buffer.alloc(width * height * 3, payloads.page);
  return sharp(rows, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

const large = sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#753' } });
const huge = sharp({ create: { width: 8000, height: 5000, channels: 3, background: '#357' } });

/** Of the pictures that get drawn, those that take the most memory. */
export async function heaviestPictures(): Promise<HostileFile[]> {
  const fullPasses = { progressive: true, chromaSubsampling: '4:4:4' };
  return [
    file('jpeg: 40 megapixels', 'jpeg', await huge.clone().jpeg().toBuffer(), 'drawn'),
    file('jpeg: 12 megapixels, progressive', 'jpeg', await large.clone().jpeg(fullPasses).toBuffer(), 'drawn'),
    file('webp: 40 megapixels', 'webp', await huge.clone().webp({ effort: 0 }).toBuffer(), 'drawn'),
  ];
}

/** Pictures that are small as files and huge when unpacked. */
export async function pictureBombs(): Promise<HostileFile[]> {
  const found = await heaviestPictures();
  found.push(
    file('png: 40 megapixels', 'png', await huge.clone().png().toBuffer(), 'drawn'),
    file(
      'png: 40 megapixels, interlaced',
      'png',
      await huge.clone().png({ progressive: true }).toBuffer(),
      'FILE_TOO_MANY_PIXELS',
    ),
    file(
      'jpeg: 40 megapixels, progressive',
      'jpeg',
      await huge.clone().jpeg({ progressive: true }).toBuffer(),
      'FILE_TOO_MANY_PIXELS',
    ),
    file('png: 12 megapixels, interlaced', 'png', await large.clone().png({ progressive: true }).toBuffer(), 'drawn'),
    file('webp: 12 megapixels', 'webp', await large.clone().webp({ effort: 0 }).toBuffer(), 'drawn'),
  );
  const png = await drawing().png().toBuffer();
  const jpeg = await drawing().jpeg().toBuffer();
  const webp = await drawing().webp().toBuffer();
  found.push(
    file('png: 51 megapixels', 'png', pngOfSize(8500, 6000), 'FILE_TOO_MANY_PIXELS'),
    file('jpeg: 51 megapixels', 'jpeg', claimedSize(jpeg, 8500, 6000), 'FILE_TOO_MANY_PIXELS'),
    file('webp: 51 megapixels', 'webp', claimedWebpSize(webp, 8500, 6000), 'FILE_TOO_MANY_PIXELS'),
    file('webp: 268 megapixels', 'webp', claimedWebpSize(webp, 16_383, 16_383), 'FILE_TOO_MANY_PIXELS'),
    file('png: claims 3,600 megapixels', 'png', pngOfSize(60_000, 60_000), 'FILE_TOO_MANY_PIXELS'),
    file('png: claims no width', 'png', pngOfSize(0, 10), 'FILE_BROKEN'),
    file('png: claims 2 billion in width', 'png', pngOfSize(0x7fffffff, 1), 'FILE_BROKEN'),
    file('jpeg: claims 4,290 megapixels', 'jpeg', claimedSize(jpeg, 65_500, 65_500), 'FILE_TOO_MANY_PIXELS'),
    file('jpeg: claims 36 megapixels and has a few', 'jpeg', claimedSize(jpeg, 6000, 6000), 'drawn'),
    file(
      'png: a text that unpacks to 100 MB',
      'png',
      afterHeader(png, pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), bomb(100_000_000)]))),
      'drawn',
    ),
    file(
      'png: a colour profile that unpacks to 100 MB',
      'png',
      afterHeader(png, pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), bomb(100_000_000)]))),
      'drawn',
    ),
    file(
      'png: ten thousand texts',
      'png',
      afterHeader(png, Buffer.concat(Array(10_000).fill(pngChunk('tEXt', Buffer.from(`a\0${CANARY}`))))),
      'drawn',
    ),
  );
  return found;
}

function pngOfSize(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = deflateSync(Buffer.alloc(1000));
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The JPEG with another size in its frame header. */
function claimedSize(jpeg: Buffer, width: number, height: number): Buffer {
  const claimed = Buffer.from(jpeg);
  const frame = claimed.indexOf(Buffer.from([0xff, 0xc0]));
  claimed.writeUInt16BE(height, frame + 5);
  claimed.writeUInt16BE(width, frame + 7);
  return claimed;
}

/** The WebP with another size in its frame header. */
function claimedWebpSize(webp: Buffer, width: number, height: number): Buffer {
  const claimed = Buffer.from(webp);
  const start = claimed.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
  claimed.writeUInt16LE(width, start + 3);
  claimed.writeUInt16LE(height, start + 5);
  return claimed;
}
