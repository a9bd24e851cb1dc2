import { useContact } from '#web/platform/lookups.ts';
import { WaysToReachUs } from '#web/ui/ways-to-reach-us.tsx';

/** What follows 'contact us' on a page. */
export function HowToReachUs() {
  return <WaysToReachUs contact={useContact().data} />;
}
