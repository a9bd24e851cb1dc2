import { Button } from '@mantine/core';
import { useState } from 'react';
import classes from './copyable.module.css';

interface CopyableProps {
  /** What it is, for who does not see it: 'reference'. */
  readonly name: string;
  /** It never breaks over lines. */
  readonly unbroken?: boolean;
  readonly children: string;
}

/** Text to be typed elsewhere, with a button that copies it where the browser lets pages do that. */
export function Copyable({ name, unbroken, children }: CopyableProps) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(children);
    setCopied(true);
  };
  return (
    <span className={classes.copyable}>
      <span className={classes.text} data-unbroken={unbroken}>
        {children}
      </span>
      {window.isSecureContext && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={copied ? `Copied: ${name}` : `Copy ${name}`}
          // Refused by the browser's settings: the text is there to be selected.
          onClick={() => void copy().catch(() => setCopied(false))}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </span>
  );
}
