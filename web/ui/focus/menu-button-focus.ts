import type { MouseEvent } from 'react';

/** Moves the focus from a chosen item to its menu's button: a dialog that the item opens then returns it there. */
export function focusMenuButton({ currentTarget }: MouseEvent): void {
  const id = currentTarget.closest('[role=menu]')?.getAttribute('aria-labelledby');
  if (id) document.getElementById(id)?.focus();
}
