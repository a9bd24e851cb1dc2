import { ActionIcon, Box, Button, Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconExternalLink, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { paths } from '#web/paths.ts';
import { late } from '#web/ui/loading/late.tsx';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import classes from './document-viewer.module.css';
import { OtherPdfViewer } from './other-pdf-viewer.tsx';
import type { ViewedDocument } from './use-viewed-document.ts';

const PERCENT = 100;
/** Content larger than its frame can also be scrolled with the keyboard. */
const scrolling = { tabIndex: 0, role: 'group' } as const;

/** Loads when the first PDF is opened; if it cannot load, the browser shows the PDF. */
const PdfView = late(async () => (await import('./pdf-view.tsx')).PdfView, {
  meanwhile: <Skeleton className={classes.page} radius={0} />,
  otherwise: OtherPdfViewer,
});

/** The documents of an invoice, one at a time; loads only the one on show. */
export function DocumentViewer({ viewed }: { readonly viewed: ViewedDocument }) {
  const { documents, uploaded, shown } = viewed;
  return (
    <Card component="section" aria-label="Documents" padding={0} className={classes.viewer}>
      {documents.data === undefined && documents.isError && (
        <Box m="md">
          <NotLoaded what="The documents" query={documents} />
        </Box>
      )}
      {documents.isPending && <Skeleton className={classes.page} radius={0} />}
      {uploaded?.length === 0 && (
        <Text c="dimmed" p="md">
          No documents yet.
        </Text>
      )}
      {shown !== undefined && <Opened key={shown.documentTag} document={shown} viewed={viewed} />}
    </Card>
  );
}

interface OpenedProps {
  readonly document: NonNullable<ViewedDocument['shown']>;
  readonly viewed: ViewedDocument;
}

/** One document, with controls for the other documents, its pages and its size. */
function Opened({ document: { documentTag, type, mediaType, fileName }, viewed }: OpenedProps) {
  const { uploaded, index, scale, steps } = viewed;
  const url = paths.viewDocument(documentTag);
  const count = `${index + 1} of ${uploaded?.length ?? 1}`;
  return (
    <>
      <Group className={classes.bar} gap="xxs" wrap="nowrap">
        <Arrow label="Previous document" icon={IconChevronLeft} onClick={steps.before} />
        <Arrow label="Next document" icon={IconChevronRight} onClick={steps.next} />
        <div className={classes.name} role="status">
          <Title order={2} fz="sm" lh="1.25rem" lineClamp={1}>
            {type}
          </Title>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {[count, fileName].filter((part) => part !== undefined).join(' · ')}
          </Text>
        </div>
        <ActionIcon component="a" href={url} target="_blank" rel="noopener" aria-label={`Open ${type} in a new tab`}>
          <IconExternalLink size={18} aria-hidden />
        </ActionIcon>
      </Group>
      <PageBar viewed={viewed} />
      {mediaType === 'application/pdf' ? (
        <PdfView url={url} type={type} viewed={viewed} />
      ) : (
        <Picture url={url} type={type} scale={scale} />
      )}
    </>
  );
}

/** Shows which page of a PDF is open and how far the document is enlarged. */
function PageBar({ viewed: { place, scale, steps } }: Pick<OpenedProps, 'viewed'>) {
  return (
    <Group className={classes.bar} gap="xxs" wrap="nowrap" justify="space-between">
      <Group gap="xxs" wrap="nowrap" mih={28}>
        {place !== undefined && (
          <>
            <Arrow label="Previous page" icon={IconChevronLeft} onClick={steps.pageBefore} />
            <Text size="sm" className={classes.place} role="status">
              <span className={classes.placeWord}>Page </span>
              {place.page} of {place.pages}
            </Text>
            <Arrow label="Next page" icon={IconChevronRight} onClick={steps.pageNext} />
          </>
        )}
      </Group>
      <Group gap="xxs" wrap="nowrap">
        <Arrow label="Smaller" icon={IconZoomOut} onClick={steps.smaller} />
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.fit}
          aria-label={`Fit to width, now ${scale * PERCENT}%`}
          disabled={steps.fit === undefined}
          onClick={steps.fit}
        >
          {scale * PERCENT}%
        </Button>
        <Arrow label="Larger" icon={IconZoomIn} onClick={steps.larger} />
      </Group>
    </Group>
  );
}

interface PictureProps {
  readonly url: string;
  readonly type: string;
  /** The zoom factor: 1 is as wide as the frame. */
  readonly scale: number;
}

function Picture({ url, type, scale }: PictureProps) {
  const [failed, setFailed] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  function retry(): void {
    setFailed(false);
    // The pressed button disappears.
    frame.current?.focus();
  }
  return (
    <div ref={frame} className={classes.page} {...{ ...scrolling, 'aria-label': `${type}, scrolls` }}>
      {failed ? (
        <Box p="md">
          <NotLoaded
            what="The picture"
            query={{ error: null, refetch: retry }}
            why="Check your network and try again."
          />
        </Box>
      ) : (
        <img src={url} alt={type} style={{ width: `${scale * PERCENT}%` }} onError={() => setFailed(true)} />
      )}
    </div>
  );
}

interface ArrowProps {
  readonly label: string;
  readonly icon: typeof IconChevronLeft;
  /** Undefined at the end of the list. */
  readonly onClick: (() => void) | undefined;
}

function Arrow({ label, icon: Icon, onClick }: ArrowProps) {
  return (
    <ActionIcon aria-label={label} disabled={onClick === undefined} onClick={onClick}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
