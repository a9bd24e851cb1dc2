import { type ReactNode, useId } from 'react';
import classes from './figure.module.css';

interface FigureProps {
  readonly label: string;
  readonly children: ReactNode;
  /** The main figure of the screen, shown largest. */
  readonly hero?: boolean;
  readonly hint?: ReactNode;
}

/** At the usual size, more characters than this may be wider than a phone. */
const SHORT_HERO = 17;

/** A figure derived from typed values. It looks like a figure, never like a disabled input. */
export function Figure({ label, children, hero = false, hint }: FigureProps) {
  const id = useId();
  return (
    <div className={`${classes.figure} ${hero ? classes.hero : classes.line}`}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      {/* An output element would announce every change, and talk over somebody typing. */}
      <output
        className={classes.value}
        id={id}
        aria-live="off"
        data-long={(hero && typeof children === 'string' && children.length > SHORT_HERO) || undefined}
      >
        {children}
      </output>
      {hint !== undefined && <div className={classes.hint}>{hint}</div>}
    </div>
  );
}

/** A read-only record: facts as pairs of name and value. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

interface FactProps {
  readonly label: string;
  readonly children: ReactNode;
  /** The fact takes the whole width. */
  readonly wide?: boolean;
  /** The value is text, which may wrap; a figure never does. */
  readonly text?: boolean;
}

export function Fact({ label, children, wide = false, text = false }: FactProps) {
  return (
    <div className={`${classes.line} ${text ? '' : classes.fixed}`} data-wide={wide || undefined}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{children}</dd>
    </div>
  );
}
