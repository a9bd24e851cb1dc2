import { Navigate, Outlet } from 'react-router';
import { isStaff } from '#contract/permissions.ts';
import { paths } from '#web/paths.ts';
import { useSessionUser } from '#web/platform/session.ts';

/** Children render only with a session; without one, the login screen (specification, section 2). */
export function SignedInOnly() {
  return useSessionUser() === null ? <Navigate to={paths.login} replace /> : <Outlet />;
}

/** Administrators and staff only; everybody else goes to the login screen (specification, section 2, /businesses). */
export function StaffOnly() {
  const user = useSessionUser();
  return user !== null && isStaff(user) ? <Outlet /> : <Navigate to={paths.login} replace />;
}
