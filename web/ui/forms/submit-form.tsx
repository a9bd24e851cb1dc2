import { Box, LoadingOverlay } from '@mantine/core';
import { type ReactNode, type SubmitEventHandler, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { forgetEarlyAnswer, takeEarlySubmit, takeEarlyTyping } from '#web/platform/hydration/before-hydration.ts';

interface SubmitFormProps {
  readonly onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** While it is being sent an overlay stands over it (specification, section 4, 'Login'). */
  readonly submitting: boolean;
  /** On a prerendered page: where the form is sent to before the application is there … */
  readonly action?: string;
  /** … and who hears what was typed into it by then, by the fields' names, and which of them somebody has left. */
  readonly onTyped?: (typed: Readonly<Record<string, string>>, left: ReadonlySet<string>) => void;
  readonly children: ReactNode;
}

/** A form that says itself what is wrong with it and cannot be sent twice. */
export function SubmitForm({ onSubmit, submitting, action, onTyped, children }: SubmitFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const heard = useRef(onTyped);
  const [isHeard, setHeard] = useState(false);
  // Before anything else can draw the fields anew, as empty as they were when the page was built.
  useLayoutEffect(() => {
    if (form.current !== null) {
      const { typed, left } = takeEarlyTyping();
      heard.current?.({ ...typed, ...typedInto(form.current) }, left);
    }
    setHeard(true);
  }, []);
  // Not sooner: what is sent is what was typed.
  useEffect(() => {
    if (!isHeard || form.current === null || !takeEarlySubmit(form.current)) return;
    form.current.requestSubmit();
    // Where the form refused, what it sends later is something else.
    setTimeout(forgetEarlyAnswer);
  }, [isHeard]);
  return (
    <Box pos="relative" aria-busy={submitting}>
      <LoadingOverlay
        visible={submitting}
        overlayProps={{ color: 'var(--mantine-color-body)', backgroundOpacity: 0.7 }}
      />
      {/* Never sent by the browser itself; were it, nothing of it would be in the address. */}
      <form ref={form} noValidate method="post" action={action} onSubmit={onSubmit}>
        {children}
      </form>
    </Box>
  );
}

/** What stands in a form's fields, without those that are empty. */
function typedInto(form: HTMLFormElement): Record<string, string> {
  const typed = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(typed);
}
