import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';

/** docs/specification-coverage.md, 9. */
export const TRIGGER_PX = 56;
const MARGIN_PX = 16;
/** A pressing thumb moves a little; only a longer movement is a drag. */
const DRAG_PX = 6;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Elements that must never be covered. */
const PRESSED_OR_FILLED = 'main :is(a, button, input, output, dd, [role=combobox]), header :is(a, button)';

/**
 * An element that can be dragged anywhere and stays there until it would cover text, a button or a field; then it
 * returns to its dock; `place` is undefined there.
 */
export function useFloating() {
  const [place, setPlace] = useState<Place>();
  const [dragging, setDragging] = useState(false);
  const windowRef = useRef<HTMLDivElement>(null);
  /** Where on the element the pointer grabbed it, and where the element was. */
  const held = useRef<{ readonly from: Place; readonly grip: Place }>(undefined);
  const moved = useRef(false);
  const settle = useCallback(() => {
    if (windowRef.current !== null && coversSomething(windowRef.current)) setPlace(undefined);
  }, []);
  useSettling(place !== undefined && !dragging, settle);

  function hold(event: PointerEvent): void {
    const box = windowRef.current?.getBoundingClientRect();
    moved.current = false;
    if (box === undefined || event.button !== 0) return;
    // A fast mouse leaves the element before the first move event.
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = { x: event.clientX, y: event.clientY };
    held.current = { from, grip: { x: from.x - box.left, y: from.y - box.top } };
  }

  function drag(event: PointerEvent): void {
    if (held.current === undefined) return;
    const { from, grip } = held.current;
    if (!moved.current && Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG_PX) return;
    moved.current = true;
    setDragging(true);
    setPlace(withinWindow({ x: event.clientX - grip.x, y: event.clientY - grip.y }));
  }

  function letGo(): void {
    held.current = undefined;
    setDragging(false);
  }

  /** The browser cancelled the drag: no click follows. */
  function cancel(): void {
    moved.current = false;
    letGo();
  }

  return {
    place,
    dragging,
    /** Whether the current click is the end of a drag. Call it once per click. */
    endsDrag: () => {
      const ends = moved.current;
      moved.current = false;
      return ends;
    },
    windowRef,
    dragProps: { onPointerDown: hold, onPointerMove: drag, onPointerUp: letGo, onPointerCancel: cancel },
  };
}

/** Checks again whenever something may have moved under the element. */
function useSettling(isAfloat: boolean, settle: () => void): void {
  useEffect(() => {
    if (!isAfloat) return;
    settle();
    const observer = new ResizeObserver(settle);
    observer.observe(document.body);
    window.addEventListener('scroll', settle, { passive: true });
    window.addEventListener('resize', settle);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', settle);
      window.removeEventListener('resize', settle);
    };
  }, [isAfloat, settle]);
}

function withinWindow({ x, y }: Place): Place {
  const clamp = (value: number, room: number) => Math.max(MARGIN_PX, Math.min(value, room - TRIGGER_PX - MARGIN_PX));
  return { x: clamp(x, window.innerWidth), y: clamp(y, window.innerHeight) };
}

function coversSomething(own: HTMLElement): boolean {
  const { left, top, right, bottom } = own.getBoundingClientRect();
  return [...document.querySelectorAll(PRESSED_OR_FILLED)].some((element) => {
    if (own.contains(element)) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
  });
}
