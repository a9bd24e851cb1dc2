import { Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCloud, IconPencil } from '@tabler/icons-react';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import classes from './save-state.module.css';

/** Where typing and the server stand with each other. */
export type SaveStatus =
  | { readonly kind: 'untouched' }
  /** Changed, but not complete enough to be saved. */
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'saving' }
  /** `at` is missing where it was saved before this visit. */
  | { readonly kind: 'saved'; readonly at?: Date }
  | { readonly kind: 'failed'; readonly reason: string; readonly wayOut?: WayOut };

/** What the person can do about it. */
export interface WayOut {
  readonly label: string;
  readonly act: () => void;
}

/** The state of saving, always in view and announced: 'Saving…', 'Saved 14:02', 'Not saved: …'. */
export function SaveState({ status }: { readonly status: SaveStatus }) {
  const { icon, text, color } = look(status);
  return (
    <Group gap={6} wrap="nowrap" c={color} mih={28} miw={0}>
      {icon}
      <Text role="status" size="sm" component="div" style={{ minWidth: 0 }}>
        {text}
      </Text>
      {status.kind === 'failed' && status.wayOut && (
        <Button variant="light" color="red" size="compact-md" onClick={status.wayOut.act} className={classes.wayOut}>
          {status.wayOut.label}
        </Button>
      )}
    </Group>
  );
}

function look(status: SaveStatus): { icon: ReactNode; text: ReactNode; color: string } {
  switch (status.kind) {
    case 'untouched':
      return { icon: <IconCloud size={16} aria-hidden />, text: 'Saves as you type', color: 'dimmed' };
    case 'incomplete':
      return { icon: <IconPencil size={16} aria-hidden />, text: <NotYet reason={status.reason} />, color: 'dimmed' };
    case 'saving':
      return { icon: <Loader size={14} color="gray" aria-hidden />, text: 'Saving…', color: 'dimmed' };
    case 'saved':
      return {
        icon: <IconCheck size={16} aria-hidden />,
        text: status.at ? `Saved ${dayjs(status.at).format('HH:mm')}` : 'Saved',
        color: 'dimmed',
      };
    case 'failed':
      return {
        icon: <IconAlertTriangle size={16} aria-hidden style={{ flexShrink: 0 }} />,
        text: `Not saved: ${status.reason}`,
        color: 'var(--mantine-color-error)',
      };
  }
}

/** While somebody is filling in a form that is no failure, and a phone has the room to say no more than that. */
function NotYet({ reason }: { readonly reason: string }) {
  return (
    <>
      Not saved yet<span className={classes.reason}>: {reason}</span>
    </>
  );
}
