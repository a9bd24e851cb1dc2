import { paths } from '#web/paths.ts';
import { TextPage } from './text-page.tsx';
import agreement from './user-agreement.md';

/** The user agreement, seven sections (docs/specification-coverage.md, 2). */
export function UserAgreementPage() {
  return <TextPage page={agreement} earlier={paths.earlierUserAgreement} numbered />;
}
