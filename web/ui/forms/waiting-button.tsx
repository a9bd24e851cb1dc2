import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentProps } from 'react';
import classes from './waiting-button.module.css';

interface WaitingButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  /** What it does is under way. */
  readonly busy: boolean;
  /** Something else is under way for which it waits. */
  readonly waits?: boolean;
}

/**
 * A button that cannot be pressed for a moment and keeps the focus meanwhile. `loading` and `disabled` take it away, and
 * whoever uses a keyboard begins again at the top of the page.
 */
export function WaitingButton({ busy, waits = false, onClick, children, ...props }: WaitingButtonProps) {
  const isInert = busy || waits;
  return (
    <Button
      {...props}
      aria-disabled={isInert || undefined}
      data-disabled={(waits && !busy) || undefined}
      onClick={(event) => {
        // Prevented, it does not send its form either.
        if (isInert) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <span className={classes.label} data-busy={busy || undefined}>
        {children}
      </span>
      {busy && <Loader className={classes.loader} size={18} color="currentColor" aria-hidden />}
    </Button>
  );
}
