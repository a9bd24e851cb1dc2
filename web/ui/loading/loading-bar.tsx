import { LoadingLine } from './loading-line.tsx';

/** On top while the application or its next screen is on its way. */
export function LoadingBar() {
  return <LoadingLine along="window" label="Loading" />;
}
