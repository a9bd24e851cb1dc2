import { isHeic } from './chosen-file.ts';
// oxlint-disable-next-line import/default -- Vite provides the default: the address of the built worker
import workerUrl from './photo-shrinking.worker.ts?worker&url';

/**
 * Makes a photo of a document small enough for a bad connection before it is sent
 * (docs/decisions/0025-uploads-that-resume.md). Text stays legible, the picture is upright, and its location is
 * removed.
 */

/** A photo below this size is sent unchanged. */
export const SMALL_ENOUGH_BYTES = 400_000;

const SHRINKABLE: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** A cheap phone takes some seconds for 12 megapixels. */
const LONGEST_MS = 30_000;

/** The request to the worker, and its reply. */
export interface Shrinking {
  readonly photo: Blob;
  readonly atMostBytes: number;
}
export type Shrunk = Blob | undefined;

/**
 * A smaller version of the picture; for an HEIC photo always a JPEG. Undefined if the file is not a picture, is already
 * small, cannot be decoded here, or the browser cannot draw off-screen: then the file is sent as it is, and the server
 * checks it.
 */
export async function shrinkPhoto(file: File): Promise<File | undefined> {
  const converts = isHeic(file);
  if (!converts && (!SHRINKABLE.has(file.type) || file.size <= SMALL_ENOUGH_BYTES)) return undefined;
  if (typeof OffscreenCanvas === 'undefined') return undefined;
  const shrunk = await inTurn(() => askWorker({ photo: file, atMostBytes: SMALL_ENOUGH_BYTES }));
  if (shrunk === undefined || (!converts && shrunk.size >= file.size)) return undefined;
  return new File([shrunk], file.name.replace(/\.[^.]*$|$/, '.jpg'), { type: shrunk.type });
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** One photo at a time: a cheap phone has no memory for more. */
function inTurn(shrink: () => Promise<Shrunk>): Promise<Shrunk> {
  const turn = lastTurn.then(shrink);
  lastTurn = turn;
  return turn;
}

let isFetched = false;

/** Loads the worker while there is a connection, so that a photo chosen offline is made smaller too. */
export function fetchPhotoShrinking(): void {
  if (isFetched) return;
  isFetched = true;
  fetch(workerUrl, { priority: 'low' }).catch(() => {
    // Tried again by the next screen that has documents.
    isFetched = false;
  });
}

/**
 * Runs off the page's own thread, so that nothing stutters. A worker that crashes on a huge picture gives no answer.
 */
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
