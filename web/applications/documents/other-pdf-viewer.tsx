import { Button, Stack, Text } from '@mantine/core';
import classes from './document-viewer.module.css';

interface OtherPdfViewerProps {
  readonly url: string;
  readonly type: string;
}

/** A PDF that Kasente cannot show itself: opens in the browser's own viewer, or in a tab if there is none. */
export function OtherPdfViewer({ url, type }: OtherPdfViewerProps) {
  if (navigator.pdfViewerEnabled) return <iframe src={url} title={type} className={classes.page} />;
  return (
    <Stack className={classes.page} align="center" justify="center" p="md">
      <Text ta="center">This document can’t be shown here.</Text>
      <Button component="a" href={url} target="_blank" rel="noopener" variant="default">
        Open {type}
      </Button>
    </Stack>
  );
}
