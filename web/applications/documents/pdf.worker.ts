import { getDocument, VerbosityLevel } from 'unpdf/pdfjs';
import type { DrawnPage, OpenedPdf, PdfReply, PdfRequest, PlacedText } from './pdf-protocol.ts';

/**
 * Reads a PDF with the same reader that checked it at upload, and draws its pages
 * (docs/decisions/0031-pdf-in-a-case.md). The worker has no DOM to act on, and the headers of its file let it load and
 * send nothing. Links, scripts, attachments and form fields are ignored: a page is a picture and its text.
 */

/** More pixels than any screen shows of a page. The limit is needed because a PDF can declare a page of any size. */
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

/**
 * pdf.js builds its filters from SVG elements, which a worker does not have. Without them it draws the same, slower or
 * plainer.
 */
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
    // pdf.js only needs the document's fonts. A worker has fonts too, although the DOM's types don't say so.
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
  // The types allow only a page's canvas, but pdf.js draws on either.
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

/** A picture that could not be decoded is stored empty and draws nothing. */
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
    // In a PDF, y grows upwards, for the page and for its text.
    const upright = [a / size, b / size, -c / size, -d / size, x, y];
    const matrix = `matrix(${multiplied(transform, upright).join(' ')})`;
    return [{ text: item.str, width: item.width / stretch, size, matrix }];
  });
}

/** The product of two matrices of a plane; the first one is applied last. */
function multiplied(outer: readonly number[], inner: readonly number[]): number[] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
