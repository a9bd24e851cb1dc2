import { paths } from '#web/paths.ts';
import policy from './privacy-policy.md';
import { TextPage } from './text-page.tsx';

/** The privacy policy, nine sections (docs/specification-coverage.md, 2), under Uganda's Data Protection and Privacy Act, 2019. */
export function PrivacyPolicyPage() {
  return <TextPage page={policy} earlier={paths.earlierPrivacyPolicy} numbered />;
}
