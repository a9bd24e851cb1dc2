import { isHeic } from './chosen-file.ts';
// oxlint-disable-next-line import/default -- Vite makes the default: the address of the built worker
import workerUrl from './photo-shrinking.worker.ts?worker&url';

/**
 * Makes a photo of a document small enough for a bad line before it is sent
 * (docs/decisions/0025-uploads-that-resume.md). Text stays legible, the picture is upright, and its location is removed.
 */

/** A smaller photo is sent unchanged. */
export const SMALL_ENOUGH_BYTES = 400_000;

const SHRINKABLE: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** A cheap phone takes some seconds for 12 megapixels. */
const LONGEST_MS = 30_000;

/** The worker's question and answer. */
export interface Shrinking {
  readonly photo: Blob;
  readonly atMostBytes: number;
}
export type Shrunk = Blob | undefined;

/**
 * A smaller picture of the same, of an HEIC photo always a JPEG; undefined where the file is no picture, is small already, cannot be decoded here, or the
 * browser cannot draw off the page: then it is sent as it is, and the server judges it.
 */
export async function shrinkPhoto(file: File): Promise<File | undefined> {
  const converts = isHeic(file);
  if (!converts && (!SHRINKABLE.has(file.type) || file.size <= SMALL_ENOUGH_BYTES)) return undefined;
  if (typeof OffscreenCanvas === 'undefined') return undefined;
  const shrunk = await askWorker({ photo: file, atMostBytes: SMALL_ENOUGH_BYTES });
  if (shrunk === undefined || (!converts && shrunk.size >= file.size)) return undefined;
  return new File([shrunk], file.name.replace(/\.[^.]*$|$/, '.jpg'), { type: shrunk.type });
}

let isFetched = false;

/** Brings the worker to the device while there is a line: a photo that is chosen without one is made smaller too. */
export function fetchPhotoShrinking(): void {
  if (isFetched) return;
  isFetched = true;
  fetch(workerUrl, { priority: 'low' }).catch(() => {
    // Asked for again with the next screen that has documents.
    isFetched = false;
  });
}

/** Off the page's own thread, so that nothing stutters; a worker that dies of a huge picture has no answer. */
function askWorker(shrinking: Shrinking): Promise<Shrunk> {
  return new Promise((resolve) => {
    const worker = new Worker(workerUrl, { type: 'module' });
    const answer = (shrunk: Shrunk): void => {
      clearTimeout(timer);
      worker.terminate();
      resolve(shrunk);
    };
    const timer = setTimeout(answer, LONGEST_MS, undefined);
    worker.onmessage = ({ data }: MessageEvent<Shrunk>) => answer(data);
    worker.onerror = () => answer(undefined);
    worker.postMessage(shrinking);
  });
}
