import { isClient, isStaff } from '#contract/permissions.ts';
import { ActivationNotice } from '#web/dashboard/activation-notice.tsx';
import { ClientDashboard } from '#web/dashboard/client-dashboard.tsx';
import { StaffDashboard } from '#web/dashboard/staff-dashboard.tsx';
import { useSessionUser } from '#web/platform/session.ts';
import { PageTitle } from '#web/ui/page-title.tsx';

/** The dashboard of each of the three kinds of user (specification, section 2). */
export function DashboardPage() {
  const user = useSessionUser();
  if (user === null) return null;
  return (
    <>
      <PageTitle title="Dashboard" />
      {isStaff(user) && <StaffDashboard />}
      {isClient(user) && <ClientDashboard businessTag={user.bizTag ?? ''} />}
      {user.perms.length === 0 && <ActivationNotice username={user.username} />}
    </>
  );
}
