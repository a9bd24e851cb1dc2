import { useNavigation } from 'react-router';
import classes from './loading-bar.module.css';

/** A thin bar on top while the next screen is on its way; it shows after 300 ms (experience.md, principle 6). */
export function LoadingBar() {
  return useNavigation().state === 'loading' ? <FirstLoad /> : null;
}

/** The same bar while the application itself is on its way. */
export function FirstLoad() {
  return <div className={classes.bar} role="progressbar" aria-label="Loading" />;
}
