import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { whatKeepsItUnsaved } from '#web/applications/draft/draft.ts';
import type { ApplicationDraft } from '#web/applications/draft/use-application-draft.ts';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import classes from './application-screen.module.css';

interface DraftNoticeProps {
  readonly application: ApplicationDraft;
  readonly onReopen: (invoiceTag: string | undefined) => void;
}

/** A notice about something that the person must know or decide before they continue. */
export function DraftNotice({ application, onReopen }: DraftNoticeProps) {
  const { stale, restoredFrom, saving, draft, unsaved } = application;
  const typed = { invoice: application.invoiceForm.values, application: application.applicationForm.values };
  const [dismissed, setDismissed] = useState(false);

  function showLatest(): void {
    saving.discard();
    onReopen(draft.invoice?.tag);
  }

  if (stale) return <ChangedElsewhere onKeep={saving.keepMine} onLatest={showLatest} />;
  // Typing that can be saved is saved in a moment, and needs no notice.
  const waits = unsaved && whatKeepsItUnsaved(draft, typed) !== undefined;
  if (restoredFrom === undefined || dismissed || !waits) return null;
  return (
    <Alert
      className={classes.notice}
      color="blue"
      title={`This is what you typed on ${formatFullDate(restoredFrom.toISOString())}`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => setDismissed(true)}
    >
      <Text size="sm" mb="sm">
        Some details are missing, so we kept it on this device.
      </Text>
      <Button variant="default" size="sm" onClick={showLatest}>
        {draft.invoice === undefined ? 'Start again' : 'Load what was saved'}
      </Button>
    </Alert>
  );
}

const CHANGED_ELSEWHERE = 'changed-elsewhere';

/** Moves to the question. We don't force it on somebody in the middle of a word. */
export function showChangedElsewhere(): void {
  const notice = document.getElementById(CHANGED_ELSEWHERE);
  notice?.scrollIntoView({ block: 'center' });
  notice?.querySelector('button')?.focus({ preventScroll: true });
}

interface ChangedElsewhereProps {
  readonly onKeep: () => Promise<void>;
  readonly onLatest: () => void;
}

function ChangedElsewhere({ onKeep, onLatest }: ChangedElsewhereProps) {
  const keep = useMutation({ mutationFn: onKeep });
  return (
    <Alert
      id={CHANGED_ELSEWHERE}
      className={classes.notice}
      color="red"
      role="alert"
      title="This application was changed elsewhere"
    >
      <Text size="sm" mb="sm">
        You have it open in another window, or someone else changed it. Choose which version to keep. Until then we save
        nothing more.
      </Text>
      <Group gap="sm">
        <Button variant="default" size="sm" onClick={onLatest} disabled={keep.isPending}>
          Use the other version
        </Button>
        <Button variant="default" size="sm" onClick={() => keep.mutate()} loading={keep.isPending}>
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
