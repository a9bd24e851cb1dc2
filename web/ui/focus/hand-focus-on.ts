/**
 * A ref for a button that unmounts after its action: passes the focus on to what is still there around it. Made once, outside of a component.
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
