import type { ComponentType } from 'react';
import { isClient, isStaff } from '#contract/permissions.ts';
import { currentUser, useSessionUser } from '#web/platform/session/session.ts';
import { late } from '#web/ui/loading/late.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';

// Nobody loads the code of a dashboard that is not theirs; whoever became another kind of user meanwhile has it when it is shown.
const Staff = late(async () => (await import('./staff-dashboard.tsx')).StaffDashboard);
const Client = late(async () => (await import('./client-dashboard.tsx')).ClientDashboard);
const Activation = late(async () => (await import('./activation-notice.tsx')).ActivationNotice);

/** The dashboard, once the code for whoever is signed in has arrived. */
export async function loadDashboard(): Promise<ComponentType> {
  const user = currentUser();
  if (user !== null) await (isStaff(user) ? Staff : isClient(user) ? Client : Activation).arrive();
  return DashboardPage;
}

/** The code of a client's dashboard, before anybody is signed in; where that fails, it is loaded when it is shown. */
export async function loadClientDashboard(): Promise<void> {
  await Client.arrive().catch(() => undefined);
}

/** The dashboard of each of the three kinds of user (specification, section 2). */
function DashboardPage() {
  const user = useSessionUser();
  if (user === null) return null;
  return (
    <>
      <PageTitle title="Dashboard" />
      {isStaff(user) && <Staff />}
      {isClient(user) && <Client businessTag={user.bizTag ?? ''} />}
      {user.perms.length === 0 && <Activation username={user.username} firstName={user.firstName} />}
    </>
  );
}
