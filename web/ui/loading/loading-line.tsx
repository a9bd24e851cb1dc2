import classes from './loading-line.module.css';

interface LoadingLineProps {
  /**
   * The edge where it is: the window's, while the application or its next screen is on its way, or that of its positioned
   * parent, which announces the wait itself.
   */
  readonly along: 'window' | 'parent';
}

/** A thin line that runs while one waits; it shows after 300 ms. */
export function LoadingLine({ along }: LoadingLineProps) {
  const spoken = along === 'parent' ? { 'aria-hidden': true } : { role: 'progressbar', 'aria-label': 'Loading' };
  return <div className={classes.line} data-along={along} {...spoken} />;
}
