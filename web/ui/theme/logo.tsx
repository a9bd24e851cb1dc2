import { PRODUCT_NAME } from '#contract/product.ts';
import classes from './logo.module.css';

/** The product's mark and name, in the accent of whoever is signed in. */
export function Logo() {
  return (
    <span className={classes.logo}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" className={classes.tile} />
        <path d="M10 7v18M22 7 11.5 16 22 25" className={classes.letter} />
      </svg>
      {PRODUCT_NAME}
    </span>
  );
}
