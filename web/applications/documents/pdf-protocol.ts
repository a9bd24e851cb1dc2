/** The page's requests to the worker that reads a PDF (pdf.worker.ts), one at a time, and its replies. */
export type PdfRequest =
  | { readonly ask: 'open'; readonly content: ArrayBuffer }
  | { readonly ask: 'draw'; readonly page: number; readonly pixelsWide: number };

export interface OpenedPdf {
  readonly answer: 'opened';
  readonly pages: number;
}

/** A run of text and its position, in the page's units from the upper left corner. */
export interface PlacedText {
  readonly text: string;
  readonly width: number;
  readonly size: number;
  /** An SVG matrix: the start and direction of the baseline. */
  readonly matrix: string;
}

export interface DrawnPage {
  readonly answer: 'drawn';
  readonly picture: ImageBitmap;
  /** Width of the page, in its own units. */
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PlacedText[];
  /** False if the page has an image that this reader cannot decode. */
  readonly isComplete: boolean;
}

export type PdfReply = OpenedPdf | DrawnPage | { readonly answer: 'failed' };
