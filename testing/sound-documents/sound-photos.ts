import sharp, { type Sharp } from 'sharp';
import { pngChunk } from '#testing/hostile-files/payloads.ts';
import type { SoundDocument } from './sound-document.ts';

/** Sound photos of the kinds that phones, scanners and programs make. */

function scan(seed: number): Sharp {
  const [width, height] = [200 + seed * 8, 300];
  const svg = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" fill="#ffe"/><text x="20" y="${60 + seed}" font-size="24">INVOICE ${1000 + seed}</text><path d="M10 ${80 + seed}H${width - 10}" stroke="#236" stroke-width="3"/></svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: 'white' });
}

const END_BYTES = 2;

/** A PNG as the only frame of an animated PNG. */
function asOneFrame(png: Buffer): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(1, 0);
  const frame = Buffer.alloc(26);
  png.copy(frame, 4, 16, 24); // its width and height
  frame.writeUInt16BE(1, 20);
  frame.writeUInt16BE(10, 22);
  const header = 33;
  return Buffer.concat([
    png.subarray(0, header),
    pngChunk('acTL', control),
    pngChunk('fcTL', frame),
    png.subarray(header),
  ]);
}

type Made = (picture: Sharp) => Promise<Buffer>;
const kinds: Readonly<Record<'jpeg' | 'png' | 'webp', Readonly<Record<string, Made>>>> = {
  jpeg: {
    baseline: (picture) => picture.jpeg().toBuffer(),
    progressive: (picture) => picture.jpeg({ progressive: true }).toBuffer(),
    grey: (picture) => picture.greyscale().jpeg().toBuffer(),
    'without its end marker': async (picture) => (await picture.jpeg().toBuffer()).subarray(0, -END_BYTES),
    'progressive, without its end marker': async (picture) =>
      (await picture.jpeg({ progressive: true }).toBuffer()).subarray(0, -END_BYTES),
    'with half of its end marker': async (picture) => (await picture.jpeg().toBuffer()).subarray(0, -1),
    'with bytes after it': async (picture) => Buffer.concat([await picture.jpeg().toBuffer(), Buffer.alloc(500)]),
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7, 8].map((orientation): [string, Made] => [
        `turned ${orientation}`,
        (picture) => picture.withMetadata({ orientation }).jpeg().toBuffer(),
      ]),
    ),
  },
  png: {
    plain: (picture) => picture.png().toBuffer(),
    interlaced: (picture) => picture.png({ progressive: true }).toBuffer(),
    'of 16 bits': (picture) => picture.toColourspace('rgb16').png().toBuffer(),
    'with a palette': (picture) => picture.png({ palette: true }).toBuffer(),
    'with one frame': async (picture) => asOneFrame(await picture.png().toBuffer()),
    'with a long text before its picture': async (picture) => {
      const png = await picture.png().toBuffer();
      return Buffer.concat([png.subarray(0, 33), pngChunk('tEXt', Buffer.alloc(9000, 'a\0')), png.subarray(33)]);
    },
  },
  webp: {
    lossy: (picture) => picture.webp().toBuffer(),
    lossless: (picture) => picture.webp({ lossless: true }).toBuffer(),
    'with an alpha channel': (picture) => picture.ensureAlpha(0.5).webp().toBuffer(),
    'with one frame': (picture) => picture.webp({ loop: 1 }).toBuffer(),
  },
};

const OF_EACH = 3;

/** Every kind, of several sizes. */
export async function soundPhotos(): Promise<SoundDocument[]> {
  const found: SoundDocument[] = [];
  for (const [format, ways] of Object.entries(kinds)) {
    for (const [how, make] of Object.entries(ways)) {
      for (let seed = 0; seed < OF_EACH; seed += 1) {
        const name = `${format} ${how}, ${seed + 1}`;
        const content = await make(scan(seed));
        found.push({ name, fileName: `photo.${format}`, type: `image/${format}`, content, removed: null });
      }
    }
  }
  return found;
}
