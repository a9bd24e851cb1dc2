import { paths } from '#web/paths.ts';
import { Link, useLocation } from '#web/platform/router/router.tsx';
import about from '#web/public-pages/earlier/about-2025-08-18.md';
import policy from '#web/public-pages/earlier/privacy-policy-2025-06-25.md';
import agreement from '#web/public-pages/earlier/user-agreement-2025-06-25.md';
import { TextPage } from './text-page.tsx';

/** The earlier versions of the texts, with their figures as they were then. */
const texts = [
  { path: paths.earlierPrivacyPolicy, page: policy, inForce: paths.privacyPolicy },
  { path: paths.earlierUserAgreement, page: agreement, inForce: paths.userAgreement },
  { path: paths.earlierAboutUs, page: about, inForce: paths.aboutUs },
] as const;

/** An earlier version of a text: that of applications submitted in its days. */
export function EarlierPage() {
  const { pathname } = useLocation();
  const text = texts.find(({ path }) => path === pathname);
  if (text === undefined) return null;
  return (
    <TextPage
      page={text.page}
      action={
        <p>
          This is an earlier version. <Link to={text.inForce}>Read the one in force</Link>
        </p>
      }
      numbered
    />
  );
}
