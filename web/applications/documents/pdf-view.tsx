import { Box, Skeleton, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import classes from './document-viewer.module.css';
import { OtherPdfViewer } from './other-pdf-viewer.tsx';
import type { DrawnPage } from './pdf-protocol.ts';
import { type PdfFailure, type PdfReader, startPdfReader } from './pdf-reader.ts';
import type { ViewedDocument } from './use-viewed-document.ts';

interface PdfViewProps {
  readonly url: string;
  readonly type: string;
  readonly viewed: ViewedDocument;
}

/** A PDF, one page at a time, read in a worker. */
export function PdfView({ url, type, viewed }: PdfViewProps) {
  const [attempt, setAttempt] = useState(0);
  const { reader, failure, fail } = useReader(url, attempt, viewed.opened);
  if (failure === 'notLoaded')
    return (
      <Box className={classes.page} p="md">
        <NotLoaded
          what="The document"
          query={{ error: null, refetch: () => setAttempt(attempt + 1) }}
          why="Check your network and try again."
        />
      </Box>
    );
  if (failure === 'notReadable') return <OtherPdfViewer url={url} type={type} />;
  if (reader === undefined || viewed.place === undefined) return <Skeleton className={classes.page} radius={0} />;
  return <Pages reader={reader} type={type} url={url} viewed={viewed} place={viewed.place} onFail={fail} />;
}

/** The PDF, open in a worker as long as it is shown. */
function useReader(url: string, attempt: number, onOpen: (pages: number) => void) {
  const [reader, setReader] = useState<PdfReader>();
  const [failure, setFailure] = useState<PdfFailure>();
  const told = useRef(onOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads the same address again
  useEffect(() => {
    const opening = startPdfReader(url);
    let isShown = true;
    setReader(opening);
    setFailure(undefined);
    void opening.open().then((pages) => {
      if (!isShown) return;
      if (typeof pages === 'number') told.current(pages);
      else setFailure(pages);
    });
    return () => {
      isShown = false;
      opening.close();
    };
  }, [url, attempt]);
  return { reader, failure, fail: () => setFailure('notReadable') };
}

interface PagesProps extends PdfViewProps {
  readonly reader: PdfReader;
  readonly place: { readonly page: number; readonly pages: number };
  /** Called if a page cannot be drawn. */
  readonly onFail: () => void;
}

/** A4, until the page's own size is known. */
const PAPER = { width: 210, height: 297 };
const PERCENT = 100;
/** Content larger than its frame can also be scrolled with the keyboard. */
const scrolling = { tabIndex: 0, role: 'group' } as const;

function Pages({ reader, type, url, viewed: { scale }, place: { page, pages }, onFail }: PagesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<Omit<DrawnPage, 'picture'> & { readonly page: number }>();
  const failed = useRef(onFail);
  useEffect(() => {
    let isWanted = true;
    const pixelsWide = Math.round((frame.current?.clientWidth ?? 0) * scale * devicePixelRatio);
    void reader.draw(page, pixelsWide).then((reply) => {
      if (!isWanted) return;
      if (reply === 'notReadable' || (!reply.isComplete && navigator.pdfViewerEnabled)) {
        failed.current();
        return;
      }
      const { picture, ...rest } = reply;
      if (canvas.current !== null) show(picture, canvas.current);
      setDrawn({ ...rest, page });
    });
    return () => {
      isWanted = false;
    };
  }, [reader, page, scale]);
  // Another page is read from its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page changes
  useEffect(() => {
    frame.current?.scrollTo(0, 0);
  }, [page]);
  const { width, height } = drawn ?? PAPER;
  return (
    <div ref={frame} className={classes.page} {...{ ...scrolling, 'aria-label': `${type}, scrolls` }}>
      {drawn?.isComplete === false && <Incomplete url={url} />}
      <div
        className={classes.sheet}
        style={{ width: `${scale * PERCENT}%`, aspectRatio: `${width} / ${height}` }}
        aria-busy={drawn?.page !== page}
      >
        <canvas ref={canvas} role="img" aria-label={`${type}, page ${page} of ${pages}`} />
        {drawn !== undefined && <Texts page={drawn} />}
      </div>
    </div>
  );
}

function show(picture: ImageBitmap, canvas: HTMLCanvasElement): void {
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(picture);
}

/** The page's text over its picture, so that it can be read aloud, searched and copied. */
function Texts({ page: { width, height, texts } }: { readonly page: Pick<DrawnPage, 'width' | 'height' | 'texts'> }) {
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={classes.texts} role="presentation">
      {texts.map(({ text, width: long, size, matrix }) => (
        <text key={`${matrix} ${text}`} transform={matrix} fontSize={size} textLength={long}>
          {text}
        </text>
      ))}
    </svg>
  );
}

function Incomplete({ url }: { readonly url: string }) {
  return (
    <Text size="sm" p="xs" role="alert">
      A picture on this page can’t be shown here.{' '}
      <a href={url} target="_blank" rel="noopener">
        Open the document in a new tab
      </a>
    </Text>
  );
}
