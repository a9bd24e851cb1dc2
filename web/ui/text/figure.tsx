import { type ReactNode, useId } from 'react';
import classes from './figure.module.css';

interface FigureProps {
  readonly label: string;
  readonly children: ReactNode;
  /** The figure of the screen: the largest thing on it. */
  readonly hero?: boolean;
  readonly hint?: ReactNode;
}

/** In the usual size more characters than these may be wider than a phone. */
const SHORT_HERO = 17;

/** A figure that follows from what is typed: it reads as a figure, never as an input that is switched off. */
export function Figure({ label, children, hero = false, hint }: FigureProps) {
  const id = useId();
  return (
    <div className={`${classes.figure} ${hero ? classes.hero : classes.line}`}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      {/* An output announces every change by itself, which would talk over somebody typing. */}
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

/** A record to read: facts as pairs of name and value. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

interface FactProps {
  readonly label: string;
  readonly children: ReactNode;
  /** Takes the whole width. */
  readonly wide?: boolean;
  /** Is text, which may be wrapped; a figure never is. */
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
