import classes from './loading-line.module.css';

interface LoadingLineProps {
  /** The edge it lies along: the window's, or that of what it stands in, which is positioned. */
  readonly along: 'window' | 'parent';
  /** What a screen reader calls it; missing where something else says that one waits. */
  readonly label?: string;
}

/** A thin line that runs while one waits; it shows after 300 ms. */
export function LoadingLine({ along, label }: LoadingLineProps) {
  const spoken = label === undefined ? { 'aria-hidden': true } : { role: 'progressbar', 'aria-label': label };
  return <div className={classes.line} data-along={along} {...spoken} />;
}
