import { useState } from 'react';
import { isStaff } from '#contract/permissions.ts';
import { paths } from '#web/paths.ts';
import { Navigate, Outlet, useLocation } from '#web/platform/router/router.tsx';
import { endedBeforeOpening, useEnrolmentAwaited, useSessionUser } from '#web/platform/session/session.ts';

/**
 * Renders its children only with a session, otherwise the login screen (docs/specification-coverage.md, 2). If a
 * session ended during use, the login screen explains that, and returns the person to where they were. Staff without a
 * required second factor see only its set-up.
 */
export function SignedInOnly() {
  const user = useSessionUser();
  const { pathname, search } = useLocation();
  const [lastUser, setLastUser] = useState(user);
  if (user !== null && user.tag !== lastUser?.tag) setLastUser(user);
  const enrols = useEnrolmentAwaited() && pathname !== paths.account;
  if (user !== null) return enrols ? <Navigate to={paths.account} replace /> : <Outlet />;
  const endedFor = lastUser?.tag ?? endedBeforeOpening();
  // Whoever opens the browser later doesn't learn the username.
  const ended = endedFor && { endedFor, username: lastUser?.username, returnTo: `${pathname}${search}` };
  return <Navigate to={paths.login} replace state={ended} />;
}

/**
 * Renders its children for administrators and staff only; everybody else goes to the login screen
 * (docs/specification-coverage.md, 2).
 */
export function StaffOnly() {
  const user = useSessionUser();
  return user !== null && isStaff(user) ? <Outlet /> : <Navigate to={paths.login} replace />;
}
