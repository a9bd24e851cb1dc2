import { Button } from '@mantine/core';
import { useState } from 'react';
import classes from './copyable.module.css';

interface CopyableProps {
  /** What the text is, for screen readers, which read it before the text itself: 'reference'. */
  readonly name: string;
  /** The text never breaks over lines. */
  readonly unbroken?: boolean;
  /** Hardly anybody needs the text. */
  readonly quiet?: boolean;
  readonly children: string;
}

/** Text to be typed elsewhere, with a button that copies it if the browser lets the page do that. */
export function Copyable({ name, unbroken, quiet, children }: CopyableProps) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(children);
    setCopied(true);
  };
  return (
    <span className={classes.copyable}>
      <span className={classes.text} data-unbroken={unbroken} data-quiet={quiet}>
        {children}
      </span>
      {window.isSecureContext && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${copied ? 'Copied:' : 'Copy'} ${name} ${children}`}
          // The browser's settings refuse it; the text can still be selected.
          onClick={() => void copy().catch(() => setCopied(false))}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </span>
  );
}
