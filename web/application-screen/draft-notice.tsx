import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useState } from 'react';
import classes from './application-screen.module.css';
import type { ApplicationDraft } from './use-application-draft.ts';

interface DraftNoticeProps {
  readonly application: ApplicationDraft;
  readonly onReopen: (invoiceTag: string | undefined) => void;
}

/** What somebody has to know, or to decide, before going on. */
export function DraftNotice({ application, onReopen }: DraftNoticeProps) {
  const { stale, restoredFrom, saving, draft, unsaved } = application;
  const [dismissed, setDismissed] = useState(false);

  function showLatest(): void {
    saving.discard();
    onReopen(draft.invoice?.tag);
  }

  if (stale) return <ChangedElsewhere onKeep={saving.keepMine} onLatest={showLatest} />;
  if (restoredFrom === undefined || dismissed || !unsaved) return null;
  return (
    <Alert
      className={classes.notice}
      color="blue"
      title={`This is what you typed on ${dayjs(restoredFrom).format('D MMM YYYY, HH:mm')}`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => setDismissed(true)}
    >
      <Text size="sm" mb="sm">
        It could not be saved then, so it was kept on this device.
      </Text>
      <Button variant="default" size="compact-md" onClick={showLatest}>
        {draft.invoice === undefined ? 'Start afresh' : 'Load what was saved'}
      </Button>
    </Alert>
  );
}

interface ChangedElsewhereProps {
  readonly onKeep: () => Promise<void>;
  readonly onLatest: () => void;
}

function ChangedElsewhere({ onKeep, onLatest }: ChangedElsewhereProps) {
  const keep = useMutation({ mutationFn: onKeep });
  return (
    <Alert className={classes.notice} color="red" role="alert" title="This application was changed elsewhere">
      <Text size="sm" mb="sm">
        Somebody changed it in another window or on another device since you opened it here. Nothing more is saved until
        you choose which one stands.
      </Text>
      <Group gap="sm">
        <Button variant="default" onClick={onLatest} disabled={keep.isPending}>
          Load the latest
        </Button>
        <Button variant="default" onClick={() => keep.mutate()} loading={keep.isPending}>
          Keep mine
        </Button>
      </Group>
      {keep.isError && (
        <Text size="sm" mt="sm">
          {keep.error.message}
        </Text>
      )}
    </Alert>
  );
}
