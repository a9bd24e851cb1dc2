import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { MAXIMUM_FILE_BYTES, type MediaType } from '#contract/documents/schema.ts';

/** Re-encodes pictures, so that only what is visible remains (docs/decisions/0016). */

export type PictureType = Exclude<MediaType, 'application/pdf'>;

/** More than any phone or scanner produces. Larger ones are refused before they are decoded. */
export const MAXIMUM_PIXELS = 50_000_000;
/**
 * Larger pictures are scaled down, which JPEG and WebP decoders do while reading. Also the limit for pictures that must
 * be in memory as a whole: interlaced ones and every WebP.
 */
const WHOLE_PIXELS = { 'image/png': 12_500_000, 'image/jpeg': 12_500_000, 'image/webp': 7_000_000 } as const;
const TIME_LIMIT_SECONDS = 20;
/** A picture that is still too large after four scalings was built to be. */
const TRIES = 4;

const formats = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' } as const;

sharp.cache(false);
sharp.concurrency(1);
// The three accepted formats; the library supports dozens.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'] });

type PictureRefusal = 'FILE_BROKEN' | 'FILE_CUT_OFF' | 'FILE_TOO_COMPLEX' | 'FILE_TOO_LARGE' | 'FILE_TOO_MANY_PIXELS';
export type Drawn = { readonly content: Buffer; readonly removed: readonly [] } | { readonly refused: PictureRefusal };

/**
 * Re-encodes a picture in its format: upright, in sRGB, only the first frame, without metadata, at most 12.5 megapixels
 * and 10 MB. Never throws because of the file's content.
 */
export async function drawAnew(path: string, mediaType: PictureType): Promise<Drawn> {
  const size = await readSize(path, mediaType);
  if (size === undefined) return { refused: await whyUndecodable(path, mediaType) };
  const pixels = size.width * size.height;
  if (pixels > (size.inPasses ? WHOLE_PIXELS[mediaType] : MAXIMUM_PIXELS)) return { refused: 'FILE_TOO_MANY_PIXELS' };
  let scale = scaleOf(pixels, mediaType);
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      const content = await draw(path, { mediaType, size, scale });
      if (content.length <= MAXIMUM_FILE_BYTES) return { content, removed: [] };
      scale *= Math.min(0.9, Math.sqrt(MAXIMUM_FILE_BYTES / content.length) * 0.95);
    } catch (error) {
      if (isExhausted(error)) return { refused: 'FILE_TOO_COMPLEX' };
      return { refused: await whyUndecodable(path, mediaType) };
    }
  }
  return { refused: 'FILE_TOO_LARGE' };
}

/** JPEG decoders halve; WebP's scale to any size. */
function scaleOf(pixels: number, mediaType: PictureType): number {
  if (pixels <= WHOLE_PIXELS[mediaType]) return 1;
  return mediaType === 'image/webp' ? Math.sqrt(WHOLE_PIXELS[mediaType] / pixels) : 0.5;
}

/** Upright. */
interface Size {
  readonly width: number;
  readonly height: number;
  /** A progressive JPEG or an interlaced PNG. */
  readonly inPasses: boolean;
}

async function readSize(path: string, mediaType: PictureType): Promise<Size | undefined> {
  try {
    const { format, autoOrient, isProgressive } = await sharp(path, { limitInputPixels: false, pages: 1 }).metadata();
    return format === formats[mediaType] ? { ...autoOrient, inPasses: isProgressive ?? false } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether time or memory ran out. */
function isExhausted(error: unknown): boolean {
  return /timeout|memory/i.test(String(error));
}

interface Drawing {
  readonly mediaType: PictureType;
  readonly size: Size;
  readonly scale: number;
}

async function draw(path: string, drawing: Drawing): Promise<Buffer> {
  try {
    return await drawFrom(path, 'error', drawing);
  } catch (error) {
    if (drawing.mediaType !== 'image/jpeg' || isExhausted(error)) throw error;
    // Some programs omit the end marker. If we add one, a picture that lacks more than the marker decodes with a
    // warning.
    return await drawFrom(Buffer.concat([await readFile(path), JPEG_END]), 'warning', drawing);
  }
}

function drawFrom(
  source: string | Buffer,
  failOn: 'error' | 'warning',
  { mediaType, size: { width, height }, scale }: Drawing,
): Promise<Buffer> {
  const whole = sharp(source, { limitInputPixels: MAXIMUM_PIXELS, failOn, pages: 1, autoOrient: true });
  const sized =
    scale === 1
      ? whole
      : whole.resize(Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)), { fit: 'fill' });
  return encode(sized, mediaType).timeout({ seconds: TIME_LIMIT_SECONDS }).toBuffer();
}

/** Whether a picture that can't be decoded ends too soon, according to its own structure. */
async function whyUndecodable(path: string, mediaType: PictureType): Promise<'FILE_BROKEN' | 'FILE_CUT_OFF'> {
  const content = await readFile(path);
  return hasEnd[mediaType](content) ? 'FILE_BROKEN' : 'FILE_CUT_OFF';
}

const JPEG_END = Buffer.from([0xff, 0xd9]);
const JPEG_SCAN = Buffer.from([0xff, 0xda]);

const hasEnd: Readonly<Record<PictureType, (content: Buffer) => boolean>> = {
  // A small preview within the file has an end marker, too, but before the scans.
  'image/jpeg': (jpeg) => jpeg.includes(JPEG_SCAN) && jpeg.lastIndexOf(JPEG_END) > jpeg.lastIndexOf(JPEG_SCAN),
  'image/png': (png) => png.includes('IEND'),
  'image/webp': (webp) => webp.length >= 8 && webp.readUInt32LE(4) + 8 <= webp.length,
};

function encode(picture: Sharp, mediaType: PictureType): Sharp {
  switch (mediaType) {
    case 'image/png':
      return picture.png({ compressionLevel: 6, adaptiveFiltering: true });
    case 'image/jpeg':
      // Optimising saves a few per cent, but needs memory for a second copy.
      return picture.jpeg({ quality: 85, optimizeCoding: false });
    case 'image/webp':
      return picture.webp({ quality: 85, effort: 2 });
  }
}
