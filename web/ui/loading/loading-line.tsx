import classes from './loading-line.module.css';

interface LoadingLineProps {
  /**
   * The edge on which it is drawn: the window's, while the application or its next screen loads, or that of its
   * positioned parent, which announces the wait itself.
   */
  readonly along: 'window' | 'parent';
}

/** A thin animated line shown during a wait of more than 300 ms. */
export function LoadingLine({ along }: LoadingLineProps) {
  const spoken = along === 'parent' ? { 'aria-hidden': true } : { role: 'progressbar', 'aria-label': 'Loading' };
  return <div className={classes.line} data-along={along} {...spoken} />;
}
