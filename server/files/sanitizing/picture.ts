import sharp, { type Sharp } from 'sharp';
import { MAXIMUM_FILE_BYTES, type MediaType } from '#contract/documents/schema.ts';

/** Draws pictures anew, so that nothing is left of a file but what can be seen in it (docs/decisions/0016). */

export type PictureType = Exclude<MediaType, 'application/pdf'>;

/** More than any phone or scanner makes of a document; more is refused before anything is decoded. */
export const MAXIMUM_PIXELS = 50_000_000;
/**
 * Above this, what phones take of a page, a picture is drawn smaller, which decoders of JPEG and WebP do while they read.
 * It is also the most of a picture that comes in several passes, which has to be held whole, as every WebP is.
 */
const WHOLE_PIXELS = { 'image/png': 12_500_000, 'image/jpeg': 12_500_000, 'image/webp': 7_000_000 } as const;
const TIME_LIMIT_SECONDS = 20;
/** A picture whose bytes do not get fewer by drawing it smaller four times is made to. */
const TRIES = 4;

const formats = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' } as const;

sharp.cache(false);
sharp.concurrency(1);
// Of the dozens of formats that the library reads, the three that are accepted.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'] });

export type Drawn = { readonly content: Buffer } | { readonly refused: 'FILE_TYPE' | 'FILE_TOO_MANY_PIXELS' };

/**
 * Draws a picture anew in its own format: upright, in sRGB, of several frames the first, without any metadata, at most
 * 12.5 megapixels and 10 MB. Never throws for what is in the file.
 */
export async function drawAnew(path: string, mediaType: PictureType): Promise<Drawn> {
  const size = await readSize(path, mediaType);
  if (size === undefined) return { refused: 'FILE_TYPE' };
  const pixels = size.width * size.height;
  if (pixels > (size.inPasses ? WHOLE_PIXELS[mediaType] : MAXIMUM_PIXELS)) return { refused: 'FILE_TOO_MANY_PIXELS' };
  let scale = scaleOf(pixels, mediaType);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const content = await draw(path, mediaType, size, scale).catch(() => undefined);
    if (content === undefined) break;
    if (content.length <= MAXIMUM_FILE_BYTES) return { content };
    scale *= Math.min(0.9, Math.sqrt(MAXIMUM_FILE_BYTES / content.length) * 0.95);
  }
  return { refused: 'FILE_TYPE' };
}

/** Decoders of JPEG halve; one of WebP comes to any size. */
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

function draw(path: string, mediaType: PictureType, { width, height }: Size, scale: number): Promise<Buffer> {
  const whole = sharp(path, { limitInputPixels: MAXIMUM_PIXELS, failOn: 'error', pages: 1, autoOrient: true });
  const sized =
    scale === 1
      ? whole
      : whole.resize(Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)), { fit: 'fill' });
  return encode(sized, mediaType).timeout({ seconds: TIME_LIMIT_SECONDS }).toBuffer();
}

function encode(picture: Sharp, mediaType: PictureType): Sharp {
  switch (mediaType) {
    case 'image/png':
      return picture.png({ compressionLevel: 6, adaptiveFiltering: true });
    case 'image/jpeg':
      // Optimised, a file is some per cent smaller, and the picture is held a second time meanwhile.
      return picture.jpeg({ quality: 85, optimizeCoding: false });
    case 'image/webp':
      return picture.webp({ quality: 85, effort: 2 });
  }
}
