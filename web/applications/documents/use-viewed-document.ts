import { useState } from 'react';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { useDocuments } from './documents.api.ts';

interface Uploaded extends SupportingDocument {
  readonly documentTag: string;
}

/** The zoom factors of a document; at 1 it is as wide as its frame. */
const ZOOMS = [1, 1.5, 2, 3, 4] as const;

/** A step in one direction; undefined at the end. */
type Step = (() => void) | undefined;

/** The document of an invoice being viewed, its page and zoom, and the steps to others. */
export function useViewedDocument(invoiceTag: string) {
  const documents = useDocuments(invoiceTag);
  const [chosen, choose] = useState<string>();
  const [zoom, setZoom] = useState(0);
  const [place, setPlace] = useState<{ page: number; pages: number }>();
  const uploaded = documents.data?.filter((document): document is Uploaded => document.documentTag !== undefined);
  const index = Math.max(0, uploaded?.findIndex(({ documentTag }) => documentTag === chosen) ?? 0);
  const open = (document: Uploaded | undefined): Step =>
    document === undefined
      ? undefined
      : () => {
          choose(document.documentTag);
          setPlace(undefined);
          setZoom(0);
        };
  const turnTo = (page: number): Step =>
    place === undefined || page < 1 || page > place.pages ? undefined : () => setPlace({ ...place, page });
  const magnify = (to: number): Step => (to in ZOOMS && to !== zoom ? () => setZoom(to) : undefined);
  return {
    documents,
    uploaded,
    index,
    shown: uploaded?.[index],
    /** The zoom factor: 1 is as wide as the frame. */
    scale: ZOOMS[zoom] ?? 1,
    /** The current page and the number of pages; undefined for a picture, and before a PDF is open. */
    place,
    opened: (pages: number) => setPlace({ page: 1, pages }),
    steps: {
      before: open(uploaded?.[index - 1]),
      next: open(uploaded?.[index + 1]),
      pageBefore: turnTo((place?.page ?? 0) - 1),
      pageNext: turnTo((place?.page ?? 0) + 1),
      smaller: magnify(zoom - 1),
      larger: magnify(zoom + 1),
      fit: magnify(0),
    } satisfies Record<string, Step>,
  };
}
export type ViewedDocument = ReturnType<typeof useViewedDocument>;

/** The viewer's keys, for the screen's list of keys. */
export function documentKeys({ steps }: ViewedDocument) {
  const keys = [
    ['n', 'Next document', steps.next],
    ['p', 'Previous document', steps.before],
    ['j', 'Next page', steps.pageNext],
    ['k', 'Previous page', steps.pageBefore],
    ['=', 'Larger', steps.larger],
    ['-', 'Smaller', steps.smaller],
    ['0', 'Fit to width', steps.fit],
  ] as const;
  return keys.map(([key, what, step]) => ({ key, what, act: () => step?.() }));
}
