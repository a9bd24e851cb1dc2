import { useNavigation } from 'react-router';
import { LoadingLine } from '#web/ui/loading-line.tsx';

/** On top while the next screen is on its way (experience.md, principle 6). */
export function LoadingBar() {
  return useNavigation().state === 'loading' ? <FirstLoad /> : null;
}

/** The same while the application itself is on its way. */
export function FirstLoad() {
  return <LoadingLine along="window" label="Loading" />;
}
