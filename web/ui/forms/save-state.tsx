import { Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCloud, IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { kampalaTime } from '#contract/time/calendar.ts';
import { onPhone } from '#web/notices.ts';
import classes from './save-state.module.css';

/** Whether the server has the typing, or why not. */
export type SaveStatus =
  | { readonly kind: 'untouched' }
  /** On this device but not on the server, and why it is not sent automatically. */
  | { readonly kind: 'kept'; readonly reason?: string; readonly wayOut?: WayOut }
  | { readonly kind: 'saving' }
  /** `at` is missing if it was saved before this visit. */
  | { readonly kind: 'saved'; readonly at?: Date }
  | { readonly kind: 'failed'; readonly reason: string; readonly wayOut?: WayOut };

/** What the person can do about it. */
export interface WayOut {
  readonly label: string;
  readonly act: () => void;
}

/**
 * The state of saving, always in view and announced to screen readers: 'Saved on this phone', 'Saving…', 'Saved 14:02',
 * 'Not saved: …'.
 */
export function SaveState({ status }: { readonly status: SaveStatus }) {
  const { icon, text, color } = look(status);
  const wayOut = 'wayOut' in status ? status.wayOut : undefined;
  return (
    <Group gap="xs" wrap="nowrap" c={color} mih={28} miw={0}>
      {icon}
      <Text role="status" size="sm" component="div" style={{ minWidth: 0 }}>
        {text}
      </Text>
      {wayOut && (
        <Button
          variant="light"
          color={status.kind === 'failed' ? 'red' : 'gray'}
          size="compact-md"
          onClick={wayOut.act}
          className={classes.wayOut}
        >
          {wayOut.label}
        </Button>
      )}
    </Group>
  );
}

function look(status: SaveStatus): { icon: ReactNode; text: ReactNode; color: string } {
  const ThisDevice = onPhone() ? IconDeviceMobile : IconDeviceLaptop;
  switch (status.kind) {
    case 'untouched':
      return { icon: <IconCloud size={16} aria-hidden />, text: 'Saves as you type', color: 'dimmed' };
    case 'kept':
      return {
        icon: <ThisDevice size={16} aria-hidden style={{ flexShrink: 0 }} />,
        text: <OnThisDevice reason={status.reason} />,
        color: 'dimmed',
      };
    case 'saving':
      return { icon: <Loader size={14} color="gray" aria-hidden />, text: 'Saving…', color: 'dimmed' };
    case 'saved':
      return {
        icon: <IconCheck size={16} aria-hidden />,
        text: status.at ? `Saved ${kampalaTime(status.at)}` : 'Saved',
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

/** The reason shows if there is room; a field's error also shows on the field. */
function OnThisDevice({ reason }: { readonly reason: string | undefined }) {
  return (
    <>
      Saved on this {onPhone() ? 'phone' : 'computer'}
      {reason !== undefined && <span className={classes.reason}>: {reason}</span>}
    </>
  );
}
