import { ActionIcon, Box, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconExternalLink, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { paths } from '#web/paths.ts';
import classes from './document-viewer.module.css';
import { useDocuments } from './documents.api.ts';
import { NotLoaded } from './not-loaded.tsx';

interface Shown extends SupportingDocument {
  readonly documentTag: string;
}

/** How much larger than its frame a picture can be shown. */
const ZOOMS = [1, 1.5, 2, 3, 4] as const;
const PERCENT = 100;
/** What is larger than its frame is scrolled by keyboard too. */
const scrolling = { tabIndex: 0, role: 'group' } as const;

/** The documents of an invoice, shown in the page one at a time; only the one that is shown is loaded. */
export function DocumentViewer({ invoiceTag }: { readonly invoiceTag: string }) {
  const documents = useDocuments(invoiceTag);
  const [chosen, choose] = useState<string>();
  const uploaded = documents.data?.filter((document): document is Shown => document.documentTag !== undefined);
  const index = Math.max(0, uploaded?.findIndex(({ documentTag }) => documentTag === chosen) ?? 0);
  const shown = uploaded?.[index];
  return (
    <Card component="section" aria-label="Documents" padding={0} className={classes.viewer}>
      {documents.data === undefined && documents.isError && (
        <Box m="md">
          <NotLoaded
            title="The documents did not load"
            why={documents.error.message}
            onRetry={() => void documents.refetch()}
          />
        </Box>
      )}
      {documents.isPending && <Skeleton className={classes.page} radius={0} />}
      {uploaded?.length === 0 && (
        <Text c="dimmed" p="md">
          Nothing was uploaded.
        </Text>
      )}
      {shown !== undefined && uploaded !== undefined && (
        <Opened
          key={shown.documentTag}
          document={shown}
          place={`${index + 1} of ${uploaded.length}`}
          onBefore={index === 0 ? undefined : () => choose(uploaded[index - 1]?.documentTag)}
          onNext={index === uploaded.length - 1 ? undefined : () => choose(uploaded[index + 1]?.documentTag)}
        />
      )}
    </Card>
  );
}

interface OpenedProps {
  readonly document: Shown;
  readonly place: string;
  /** Undefined at the first one. */
  readonly onBefore: (() => void) | undefined;
  /** Undefined at the last one. */
  readonly onNext: (() => void) | undefined;
}

/** One document with the way to the others. A PDF brings a zoom of its own. */
function Opened({ document: { documentTag, type, mediaType, fileName }, place, onBefore, onNext }: OpenedProps) {
  const [zoom, setZoom] = useState(0);
  const url = paths.viewDocument(documentTag);
  const isPdf = mediaType === 'application/pdf';
  return (
    <>
      <Group className={classes.bar} gap={4} wrap="nowrap">
        <Arrow label="The document before" icon={IconChevronLeft} onClick={onBefore} />
        <Arrow label="The next document" icon={IconChevronRight} onClick={onNext} />
        <div className={classes.name} role="status">
          <Title order={2} fz="sm" lh="1.25rem" lineClamp={1}>
            {type}
          </Title>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {[place, fileName].filter((part) => part !== undefined).join(' · ')}
          </Text>
        </div>
        {!isPdf && (
          <>
            <Arrow label="Smaller" icon={IconZoomOut} onClick={zoom === 0 ? undefined : () => setZoom(zoom - 1)} />
            <Arrow
              label="Larger"
              icon={IconZoomIn}
              onClick={zoom === ZOOMS.length - 1 ? undefined : () => setZoom(zoom + 1)}
            />
          </>
        )}
        <ActionIcon component="a" href={url} target="_blank" rel="noopener" aria-label={`Open ${type} in a new tab`}>
          <IconExternalLink size={18} aria-hidden />
        </ActionIcon>
      </Group>
      {isPdf ? <Pdf url={url} type={type} /> : <Picture url={url} type={type} scale={ZOOMS[zoom] ?? 1} />}
    </>
  );
}

interface PictureProps {
  readonly url: string;
  readonly type: string;
  /** How much larger than its frame it is. */
  readonly scale: number;
}

function Picture({ url, type, scale }: PictureProps) {
  const [failed, setFailed] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  function retry(): void {
    setFailed(false);
    // The button that was pressed goes.
    frame.current?.focus();
  }
  return (
    <div ref={frame} className={classes.page} {...{ ...scrolling, 'aria-label': `${type}, scrolls` }}>
      {failed ? (
        <Box p="md">
          <NotLoaded title="The picture did not load" why="Check your network and try again." onRetry={retry} />
        </Box>
      ) : (
        <img src={url} alt={type} style={{ width: `${scale * PERCENT}%` }} onError={() => setFailed(true)} />
      )}
    </div>
  );
}

/** Phones, for the most part, show no PDF within a page. */
function Pdf({ url, type }: { readonly url: string; readonly type: string }) {
  if (navigator.pdfViewerEnabled) return <iframe src={url} title={type} className={classes.page} />;
  return (
    <Stack className={classes.page} align="center" justify="center" p="md">
      <Text ta="center">This browser shows no PDF within a page.</Text>
      <Button component="a" href={url} target="_blank" rel="noopener" variant="default">
        Open {type}
      </Button>
    </Stack>
  );
}

interface ArrowProps {
  readonly label: string;
  readonly icon: typeof IconChevronLeft;
  /** Undefined where there is no further to go. */
  readonly onClick: (() => void) | undefined;
}

function Arrow({ label, icon: Icon, onClick }: ArrowProps) {
  return (
    <ActionIcon aria-label={label} disabled={onClick === undefined} onClick={onClick}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
