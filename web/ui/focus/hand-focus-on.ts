/**
 * A ref for a button that may go while it has the focus, as one does that has done what it was for: the focus is then
 * handed to what is still there around it. Made once, outside of a component.
 */
export function handFocusOn(around: string, to: (place: Element) => void) {
  return (button: HTMLElement | null) => {
    const place = button?.closest(around);
    return () => {
      if (place === null || place === undefined || document.activeElement !== button) return;
      // The screen is still being changed at this moment.
      queueMicrotask(() => to(place));
    };
  };
}
