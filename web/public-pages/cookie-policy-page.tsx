import policy from './cookie-policy.md';
import { TextPage } from './text-page.tsx';

/**
 * The cookie policy, six sections (docs/specification-coverage.md, 2). It lists what the product really stores on a
 * device.
 */
export function CookiePolicyPage() {
  return <TextPage page={policy} numbered />;
}
