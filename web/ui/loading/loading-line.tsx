import classes from './loading-line.module.css';

interface LoadingLineProps {
  /** The edge where it is: the window's, or that of its positioned parent. */
  readonly along: 'window' | 'parent';
  /** Its name for screen readers; missing if something else announces the wait. */
  readonly label?: string;
}

/** A thin line that runs while one waits; it shows after 300 ms. */
export function LoadingLine({ along, label }: LoadingLineProps) {
  const spoken = label === undefined ? { 'aria-hidden': true } : { role: 'progressbar', 'aria-label': label };
  return <div className={classes.line} data-along={along} {...spoken} />;
}
