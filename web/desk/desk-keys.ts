import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { readStored, storageKeys, writeStored } from '#web/platform/storage.ts';

/** A key of the desk, what it does in words, and the doing. */
export interface DeskKey {
  readonly key: string;
  /** How a person knows it, where that is something else. */
  readonly shown?: string;
  readonly what: string;
  /** Missing where the browser does it by itself. */
  readonly act?: () => void;
}

/** Single keys can be switched off on a device: who speaks to it must not act by what they say (WCAG 2.2, 2.1.4). */
export function useKeysEnabled() {
  const [enabled, setEnabled] = useState(() => readStored(storageKeys.deskKeys, (kept) => kept !== false) ?? true);
  const enable = (wanted: boolean): void => {
    writeStored(storageKeys.deskKeys, wanted);
    setEnabled(wanted);
  };
  return { enabled, enable };
}

/** Whether somebody is being asked something, or types it, in front of the screen. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

/** Acts on keys, but not while something is typed, a dialog is open, or they are switched off. */
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
