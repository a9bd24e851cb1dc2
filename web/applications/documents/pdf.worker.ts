import { getDocument, VerbosityLevel } from 'unpdf/pdfjs';
import type { DrawnPage, OpenedPdf, PdfReply, PdfRequest, PlacedText } from './pdf-protocol.ts';

/**
 * Reads a PDF with the reader that has judged it at its upload, and draws its pages (docs/decisions/0031-pdf-in-a-case.md).
 * It has no document to act on, and the headers of its file let it load and send nothing. Links, scripts, attachments
 * and fields to fill in are not asked for: a page is a picture and the text in it.
 */

/** More pixels than any screen shows of a page; a page may say that it is as large as it likes. */
const MOST_PIXELS = 12_000_000;
const LONGEST_SIDE_PIXELS = 8192;

/** Makes canvases for pdf.js, where there is no document. */
class WorkerCanvases {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext('2d') };
  }
  reset({ canvas }: { readonly canvas: OffscreenCanvas }, width: number, height: number): void {
    canvas.width = width;
    canvas.height = height;
  }
  destroy({ canvas }: { readonly canvas: OffscreenCanvas }): void {
    canvas.width = 0;
    canvas.height = 0;
  }
}

/** pdf.js makes its filters of SVG elements, which a worker has not; without them it draws the same, slower or plainer. */
class NoFilters {
  addFilter = (): string => 'none';
  addHCMFilter = (): string => 'none';
  addAlphaFilter = (): string => 'none';
  addLuminosityFilter = (): string => 'none';
  addKnockoutFilter = (): string => 'none';
  addHighlightHCMFilter = (): string => 'none';
  destroy = (): void => undefined;
}

type Pdf = Awaited<ReturnType<typeof getDocument>['promise']>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;

let opened: Pdf | undefined;

self.onmessage = async ({ data }: MessageEvent<PdfRequest>) => {
  const reply: PdfReply = await answer(data).catch(() => ({ answer: 'failed' }));
  self.postMessage(reply, { transfer: reply.answer === 'drawn' ? [reply.picture] : [] });
};

async function answer(request: PdfRequest): Promise<PdfReply> {
  if (request.ask === 'open') return open(request.content);
  if (opened === undefined) throw new Error('nothing is open');
  return draw(await opened.getPage(request.page), request.pixelsWide);
}

async function open(content: ArrayBuffer): Promise<OpenedPdf> {
  opened = await getDocument({
    data: new Uint8Array(content),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    CanvasFactory: WorkerCanvases,
    FilterFactory: NoFilters,
    // pdf.js only needs the document's fonts, which a worker has too, unknown to the DOM's types.
    ownerDocument: self as unknown as Document,
  }).promise;
  return { answer: 'opened', pages: opened.numPages };
}

async function draw(page: Page, pixelsWide: number): Promise<DrawnPage> {
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(
    pixelsWide / width,
    Math.sqrt(MOST_PIXELS / (width * height)),
    LONGEST_SIDE_PIXELS / Math.max(width, height),
  );
  const viewport = page.getViewport({ scale });
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
  // Its types know of a page's canvas only; it draws on either.
  const canvasContext = canvas.getContext('2d', { alpha: false }) as unknown as CanvasRenderingContext2D;
  await page.render({ canvas: null, canvasContext, viewport }).promise;
  return {
    answer: 'drawn',
    picture: canvas.transferToImageBitmap(),
    width,
    height,
    texts: await textsOf(page),
    isComplete: isComplete(page),
  };
}

/** A picture that could not be decoded is stored as nothing, and drawn as nothing. */
function isComplete(page: Page): boolean {
  return [...page.objs, ...page.commonObjs].every(([, decoded]) => decoded !== null);
}

async function textsOf(page: Page): Promise<PlacedText[]> {
  const { transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0]: number[] = item.transform;
    const size = Math.hypot(c, d);
    const stretch = Math.hypot(a, b) / size;
    if (!Number.isFinite(stretch) || stretch === 0) return [];
    // A page's y goes up, and its text's too.
    const upright = [a / size, b / size, -c / size, -d / size, x, y];
    const matrix = `matrix(${multiplied(transform, upright).join(' ')})`;
    return [{ text: item.str, width: item.width / stretch, size, matrix }];
  });
}

/** Two matrices of a plane, the first one applied last. */
function multiplied(outer: readonly number[], inner: readonly number[]): number[] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
