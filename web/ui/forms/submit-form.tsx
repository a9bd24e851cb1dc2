import { Box, LoadingOverlay } from '@mantine/core';
import { type ReactNode, type SubmitEventHandler, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  forgetAnswerBeforeHydration,
  takeSubmitBeforeHydration,
  takeTypingBeforeHydration,
} from '#web/platform/hydration/before-hydration.ts';

interface SubmitFormProps {
  readonly onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** An overlay covers the form while it is sent (docs/specification-coverage.md, 4). */
  readonly submitting: boolean;
  /** On a prerendered page: where the form is sent before the application has loaded … */
  readonly action?: string;
  /** Receives the values typed before hydration, by field name, and the fields that were left. */
  readonly onTyped?: (typed: Readonly<Record<string, string>>, left: ReadonlySet<string>) => void;
  readonly children: ReactNode;
}

/** A form that reports its own errors and cannot be sent twice. */
export function SubmitForm({ onSubmit, submitting, action, onTyped, children }: SubmitFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const heard = useRef(onTyped);
  const [isHeard, setHeard] = useState(false);
  // Runs before another render can reset the fields to their state at build time.
  useLayoutEffect(() => {
    if (form.current !== null) {
      const { typed, left } = takeTypingBeforeHydration();
      heard.current?.({ ...typed, ...typedInto(form.current) }, left);
    }
    setHeard(true);
  }, []);
  // Not earlier: the form must send what was typed.
  useEffect(() => {
    if (!isHeard || form.current === null || !takeSubmitBeforeHydration(form.current)) return;
    form.current.requestSubmit();
    // After the form's own refusal, a later submission is a new one.
    setTimeout(forgetAnswerBeforeHydration);
  }, [isHeard]);
  return (
    <Box pos="relative" aria-busy={submitting}>
      <LoadingOverlay
        visible={submitting}
        overlayProps={{ color: 'var(--mantine-color-body)', backgroundOpacity: 0.7 }}
      />
      {/* The browser never sends the form itself. If it did, POST would keep the values out of the address. */}
      <form ref={form} noValidate method="post" action={action} onSubmit={onSubmit}>
        {children}
      </form>
    </Box>
  );
}

/** The values of a form's fields, without empty ones. */
function typedInto(form: HTMLFormElement): Record<string, string> {
  const typed = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(typed);
}
