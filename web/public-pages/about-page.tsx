import { Button } from '@mantine/core';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import about from './about.md';
import { TextPage } from './text-page.tsx';

/** What Kasente does (docs/specification-coverage.md, 1 and 2). */
export function AboutPage() {
  return <TextPage page={about} earlier={paths.earlierAboutUs} action={<SignUp />} />;
}

/** For people without an account. */
function SignUp() {
  const user = useSessionUser();
  return user === null ? (
    <Button component={Link} to={paths.signup}>
      Create Your Account
    </Button>
  ) : null;
}
