import { Box, LoadingOverlay } from '@mantine/core';
import { type ReactNode, type SubmitEventHandler, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  forgetAnswerBeforeHydration,
  takeSubmitBeforeHydration,
  takeTypingBeforeHydration,
} from '#web/platform/hydration/before-hydration.ts';

interface SubmitFormProps {
  readonly onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** While it is sent, an overlay covers it (docs/specification-coverage.md, 4). */
  readonly submitting: boolean;
  /** On a prerendered page: where the form is sent to before the application is there … */
  readonly action?: string;
  /** Gets the values typed before hydration, by the fields' names, and the fields that were left. */
  readonly onTyped?: (typed: Readonly<Record<string, string>>, left: ReadonlySet<string>) => void;
  readonly children: ReactNode;
}

/** A form that says itself what is wrong with it and cannot be sent twice. */
export function SubmitForm({ onSubmit, submitting, action, onTyped, children }: SubmitFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const heard = useRef(onTyped);
  const [isHeard, setHeard] = useState(false);
  // Before another render can empty the fields, as they were when the page was built.
  useLayoutEffect(() => {
    if (form.current !== null) {
      const { typed, left } = takeTypingBeforeHydration();
      heard.current?.({ ...typed, ...typedInto(form.current) }, left);
    }
    setHeard(true);
  }, []);
  // Not sooner: what is sent is what was typed.
  useEffect(() => {
    if (!isHeard || form.current === null || !takeSubmitBeforeHydration(form.current)) return;
    form.current.requestSubmit();
    // After the form's own refusal, a later send is another one.
    setTimeout(forgetAnswerBeforeHydration);
  }, [isHeard]);
  return (
    <Box pos="relative" aria-busy={submitting}>
      <LoadingOverlay
        visible={submitting}
        overlayProps={{ color: 'var(--mantine-color-body)', backgroundOpacity: 0.7 }}
      />
      {/* The browser never sends it itself; with POST nothing of it would be in the address. */}
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
