/** The page's questions to the worker that reads a PDF (pdf.worker.ts), one at a time, and its answers. */
export type PdfRequest =
  | { readonly ask: 'open'; readonly content: ArrayBuffer }
  | { readonly ask: 'draw'; readonly page: number; readonly pixelsWide: number };

export interface OpenedPdf {
  readonly answer: 'opened';
  readonly pages: number;
}

/** A run of text with its place on the page, in the page's units from its upper left corner. */
export interface PlacedText {
  readonly text: string;
  readonly width: number;
  readonly size: number;
  /** An SVG matrix: the start and the direction of the baseline. */
  readonly matrix: string;
}

export interface DrawnPage {
  readonly answer: 'drawn';
  readonly picture: ImageBitmap;
  /** Of the page, in its own units. */
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PlacedText[];
  /** False where an image of the page is of a kind that this reader cannot decode. */
  readonly isComplete: boolean;
}

export type PdfReply = OpenedPdf | DrawnPage | { readonly answer: 'failed' };
