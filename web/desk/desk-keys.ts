import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { readStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';

/** A single-key shortcut of the desk, and its action. */
export interface DeskKey {
  readonly key: string;
  readonly what: string;
  /** Missing where the browser already handles the key. */
  readonly act?: () => void;
}

/** Shortcuts can be turned off on a device, because speech input would trigger them (WCAG 2.2, 2.1.4). */
export function useKeysEnabled() {
  const [enabled, setEnabled] = useState(() => readStored(storageKeys.deskKeys, (kept) => kept !== false) ?? true);
  const enable = (wanted: boolean): void => {
    writeStored(storageKeys.deskKeys, wanted);
    setEnabled(wanted);
  };
  return { enabled, enable };
}

/** Whether a dialog is open over the screen. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

/** Handles the keys, except while a field has the focus, a dialog is open, or shortcuts are turned off. */
export function useDeskKeys(keys: readonly DeskKey[], enabled: boolean, onHelp: () => void): void {
  const guarded = (act: () => void) => () => {
    if (!isDialogOpen()) act();
  };
  const items = keys.flatMap<HotkeyItem>(({ key, act }) => (act === undefined ? [] : [[key, guarded(act)]]));
  const help: HotkeyItem[] = [
    ['?', guarded(onHelp)],
    ['shift+?', guarded(onHelp)],
  ];
  useHotkeys(enabled ? [...items, ...help] : []);
}
