import type { Shrinking, Shrunk } from './photo-shrinking.ts';

/**
 * The drawings to try: the longer side in pixels, and the JPEG quality. The first result that is small enough is used.
 * An A4 page has 205 dots per inch at 2400 pixels and 109 at 1280, where 6-point print is still legible.
 */
const DRAWINGS = [
  { side: 2400, quality: 0.8 },
  { side: 2400, quality: 0.65 },
  { side: 2100, quality: 0.65 },
  { side: 2100, quality: 0.5 },
  { side: 1800, quality: 0.5 },
  { side: 1600, quality: 0.45 },
  { side: 1600, quality: 0.3 },
  { side: 1280, quality: 0.3 },
] as const;

self.onmessage = async ({ data }: MessageEvent<Shrinking>) => {
  self.postMessage(await shrink(data).catch(() => undefined));
};

async function shrink({ photo, atMostBytes }: Shrinking): Promise<Shrunk> {
  // Upright, using the camera's orientation; the new image carries no metadata.
  const picture = await createImageBitmap(photo, { imageOrientation: 'from-image' });
  try {
    for (const { side, quality } of DRAWINGS) {
      const drawn = await draw(picture, side).convertToBlob({ type: 'image/jpeg', quality });
      if (drawn.size <= atMostBytes) return drawn;
    }
    return undefined;
  } finally {
    picture.close();
  }
}

function draw(picture: ImageBitmap, side: number): OffscreenCanvas {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) throw new Error('nothing can be drawn here');
  // JPEG has no transparency, so we draw on white.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
