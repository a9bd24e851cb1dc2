import type { ComponentType } from 'react';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { isClient, isStaff } from '#contract/permissions.ts';
import { bodyOf, firstPage } from '#web/applications/list/asked.ts';
import type { Question } from '#web/platform/api/question.ts';
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
  if (user !== null) await (isStaff(user) ? Staff : isClient(user) ? Client : Activation).arrive();
  return DashboardPage;
}

let hasAsked = false;

/** The requests of a client's first dashboard in this tab; later dashboards begin with replies that the tab has. */
export function dashboardAsksFirst(): readonly Question[] {
  const user = currentUser();
  if (hasAsked || user === null || !isClient(user)) return [];
  hasAsked = true;
  return [
    { endpoint: invoiceEndpoints.listInvoices, body: bodyOf(firstPage(user.bizTag ?? '')) },
    { endpoint: applicationEndpoints.attention },
  ];
}

/**
 * Loads the code of a client's dashboard before anybody logs in. If that fails, the code loads when the dashboard is
 * shown.
 */
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
      {user.perms.length === 0 && (
        <Activation username={user.username} firstName={user.firstName} lastName={user.lastName} />
      )}
    </>
  );
}
