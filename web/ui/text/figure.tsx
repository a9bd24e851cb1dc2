import { type ReactNode, useId } from 'react';
import type { ListedFact } from './fact-list.tsx';
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

interface RecordedFact extends Pick<ListedFact, 'label' | 'value'> {
  /** The fact takes the whole width. */
  readonly isWide?: boolean;
  /** The value is text, which may wrap; a figure never does. */
  readonly isText?: boolean;
}

/** A read-only record: facts as pairs of name and value. A fact without a value is left out. */
export function Facts({ facts }: { readonly facts: readonly RecordedFact[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(({ value }) => value != null)
        .map(({ label, value, isWide, isText }) => (
          <div key={label} className={`${classes.line} ${isText ? '' : classes.fixed}`} data-wide={isWide}>
            <dt className={classes.label}>{label}</dt>
            <dd className={classes.value}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
