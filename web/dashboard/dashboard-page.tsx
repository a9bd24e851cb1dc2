import { Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { isClient, isStaff } from '#contract/permissions.ts';
import { currentUser, useSessionUser } from '#web/platform/session.ts';
import { PageTitle } from '#web/ui/page-title.tsx';

// Nobody loads the code of a dashboard that is not theirs.
const staff = onDemand(async () => (await import('#web/dashboard/staff-dashboard.tsx')).StaffDashboard);
const client = onDemand(async () => (await import('#web/dashboard/client-dashboard.tsx')).ClientDashboard);
const activation = onDemand(async () => (await import('#web/dashboard/activation-notice.tsx')).ActivationNotice);

/** The dashboard, once the code for whoever is signed in has arrived. */
export async function loadDashboard(): Promise<ComponentType> {
  const user = currentUser();
  if (user !== null) await (isStaff(user) ? staff : isClient(user) ? client : activation).arrive();
  return DashboardPage;
}

/** The code of a client's dashboard, before anybody is signed in; where that fails, it is loaded when it is shown. */
export async function loadClientDashboard(): Promise<void> {
  await client.arrive().catch(() => undefined);
}

/** The dashboard of each of the three kinds of user (specification, section 2). */
function DashboardPage() {
  const user = useSessionUser();
  if (user === null) return null;
  return (
    <>
      <PageTitle title="Dashboard" />
      {isStaff(user) && <staff.Screen />}
      {isClient(user) && <client.Screen businessTag={user.bizTag ?? ''} />}
      {user.perms.length === 0 && <activation.Screen username={user.username} />}
    </>
  );
}

/** A screen whose code is loaded by `arrive`, or at the latest when it is shown: for whom became another kind of user meanwhile. */
function onDemand<P extends object>(load: () => Promise<ComponentType<P>>) {
  let arrived: ComponentType<P> | undefined;
  const arrive = async (): Promise<ComponentType<P>> => {
    arrived = await load();
    return arrived;
  };
  const Late = lazy(async () => ({ default: await arrive() }));
  function Screen(props: P) {
    // Without `lazy` where it is there: React would show the fallback for a moment all the same.
    const [Found] = useState<ComponentType<P>>(() => arrived ?? Late);
    return (
      <Suspense fallback={<Loader aria-label="Loading" />}>
        <Found {...props} />
      </Suspense>
    );
  }
  return { arrive, Screen };
}
