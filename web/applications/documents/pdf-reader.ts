import type { DrawnPage, PdfReply, PdfRequest } from './pdf-protocol.ts';

/** A page usually takes one or two tenths of a second; a file that takes longer than this is given up. */
const LONGEST_MS = 20_000;

/** Why a PDF is not shown: it did not arrive, or it cannot be read here. */
export type PdfFailure = 'notLoaded' | 'notReadable';

/** A PDF that is open in its own worker; it answers one request at a time. */
export interface PdfReader {
  /** Opens the PDF and returns its number of pages. */
  readonly open: () => Promise<number | PdfFailure>;
  readonly draw: (page: number, pixelsWide: number) => Promise<DrawnPage | 'notReadable'>;
  readonly close: () => void;
}

/** Reads the PDF at that address. The worker's code is loaded when the first PDF is opened. */
export function startPdfReader(url: string): PdfReader {
  const loading = new AbortController();
  const worker =
    typeof OffscreenCanvas === 'undefined'
      ? undefined
      : new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' });
  let last: Promise<unknown> = Promise.resolve();
  const ask = (request: PdfRequest): Promise<PdfReply> => {
    const replied = last.then(() => replyOf(worker, request));
    last = replied;
    return replied;
  };
  return {
    open: async () => {
      const content = await load(url, loading.signal);
      if (content === undefined) return 'notLoaded';
      const reply = await ask({ ask: 'open', content });
      return reply.answer === 'opened' ? reply.pages : 'notReadable';
    },
    draw: async (page, pixelsWide) => {
      const reply = await ask({ ask: 'draw', page, pixelsWide });
      return reply.answer === 'drawn' ? reply : 'notReadable';
    },
    close: () => {
      loading.abort();
      worker?.terminate();
    },
  };
}

async function load(url: string, signal: AbortSignal): Promise<ArrayBuffer | undefined> {
  try {
    const response = await fetch(url, { signal });
    return response.ok ? await response.arrayBuffer() : undefined;
  } catch {
    return undefined;
  }
}

function replyOf(worker: Worker | undefined, request: PdfRequest): Promise<PdfReply> {
  return new Promise((resolve) => {
    const fail = (): void => {
      clearTimeout(timer);
      worker?.terminate();
      resolve({ answer: 'failed' });
    };
    const timer = setTimeout(fail, worker === undefined ? 0 : LONGEST_MS);
    if (worker === undefined) return;
    worker.onmessage = ({ data }: MessageEvent<PdfReply | object>) => {
      // pdf.js itself posts 'ready'.
      if (!('answer' in data)) return;
      clearTimeout(timer);
      resolve(data);
    };
    worker.onerror = fail;
    worker.postMessage(request, request.ask === 'open' ? [request.content] : []);
  });
}
