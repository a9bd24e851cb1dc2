import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentProps } from 'react';
import classes from './waiting-button.module.css';

interface WaitingButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  /** The button's action is running. */
  readonly busy: boolean;
  /** The button waits for another action. */
  readonly waits?: boolean;
}

/**
 * A button that cannot be pressed for a moment but keeps the focus. `loading` and `disabled` would drop the focus, and
 * a keyboard user would start again at the top of the page.
 */
export function WaitingButton({ busy, waits = false, onClick, children, ...props }: WaitingButtonProps) {
  const isInert = busy || waits;
  return (
    <Button
      {...props}
      aria-disabled={isInert || undefined}
      data-disabled={(waits && !busy) || undefined}
      onClick={(event) => {
        // Preventing the default also stops it from sending its form.
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
