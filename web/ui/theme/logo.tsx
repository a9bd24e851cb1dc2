import { PRODUCT_NAME } from '#contract/product.ts';
import { Link } from '#web/platform/router/router.tsx';
import classes from './logo.module.css';

/** The product's mark and name, in the accent colour of the person's theme. */
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

/** The logo as a link to the start page. */
export function LogoLink({ to }: { readonly to: string }) {
  return (
    <Link to={to} className={classes.home}>
      <Logo />
    </Link>
  );
}
