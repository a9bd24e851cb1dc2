import type { ComponentType } from 'react';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { isClient, isStaff } from '#contract/permissions.ts';
import { bodyOf, firstPage } from '#web/applications/list/asked.ts';
import { urlOf } from '#web/platform/api/api.ts';
import { prefetch } from '#web/platform/prefetch/prefetched.ts';
import { currentUser, useSessionUser } from '#web/platform/session/session.ts';
import { late } from '#web/ui/loading/late.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';

// Each kind of user loads only the code of their own dashboard.
const Staff = late(async () => (await import('./staff-dashboard.tsx')).StaffDashboard);
const Client = late(async () => (await import('./client-dashboard.tsx')).ClientDashboard);
const Activation = late(async () => (await import('./activation-notice.tsx')).ActivationNotice);

/** Loads the code of the logged-in person's dashboard. */
export async function loadDashboard(): Promise<ComponentType> {
  const user = currentUser();
  if (user !== null && isClient(user)) prefetchClientDashboard(user.bizTag ?? '');
  if (user !== null) await (isStaff(user) ? Staff : isClient(user) ? Client : Activation).arrive();
  return DashboardPage;
}

/** Asks for what a client's dashboard begins with: the answers travel while it is drawn. */
function prefetchClientDashboard(businessTag: string): void {
  prefetch({ url: urlOf(invoiceEndpoints.listInvoices), body: bodyOf(firstPage(businessTag)) });
  prefetch({ url: urlOf(applicationEndpoints.attention) });
}

/** Loads the code of a client's dashboard before anybody logs in; after a failure it is loaded when shown. */
export async function loadClientDashboard(): Promise<void> {
  await Client.arrive().catch(() => undefined);
}

/** The dashboard of each of the three kinds of user (docs/specification-coverage.md, 2). */
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
