import { LoadingLine } from './loading-line.tsx';

/** On top while the application or its next screen is on its way (experience.md, principle 6). */
export function LoadingBar() {
  return <LoadingLine along="window" label="Loading" />;
}
