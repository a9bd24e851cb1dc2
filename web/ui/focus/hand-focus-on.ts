/**
 * A ref for a button that unmounts after its action: passes the focus to something around it that remains. Create it
 * once, outside a component.
 */
export function handFocusOn(around: string, to: (place: Element) => void) {
  return (button: HTMLElement | null) => {
    const place = button?.closest(around);
    return () => {
      if (place === null || place === undefined || document.activeElement !== button) return;
      // The screen is still changing at this moment.
      queueMicrotask(() => to(place));
    };
  };
}
