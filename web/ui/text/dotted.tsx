import classes from './dotted.module.css';

interface DottedProps {
  /** Null and false are left out. */
  readonly parts: readonly (string | null | false)[];
}

/** Facts in one line. A line break falls between them, never inside a reference or a date. */
export function Dotted({ parts }: DottedProps) {
  const shown = parts.filter((part) => part !== null && part !== false);
  return shown.map((part, index) => (
    <span key={part}>
      {index > 0 && ' · '}
      <span className={classes.part}>{part}</span>
    </span>
  ));
}
