import classes from './status-pill.module.css';

/** A status as a word and a colour; the colour goes by the lower-cased status (specification, section 4). */
export function StatusPill({ status }: { readonly status: string }) {
  return (
    <span className={classes.pill} data-status={status.toLowerCase()}>
      {status}
    </span>
  );
}
