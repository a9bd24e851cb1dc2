import { Stack, Text, Title } from '@mantine/core';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import { isStaff } from '#contract/permissions.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSessionUser } from '#web/platform/session/session.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { ChangePasswordSection } from './change-password-section.tsx';
import { OwnSessionsSection } from './own-sessions-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';

/** The person's own account: second factor (staff), password, sessions. Opened from the name in the header. */
export function AccountPage() {
  const user = useSessionUser();
  return user === null ? null : <Account user={user} />;
}

function Account({ user }: { readonly user: SessionUser }) {
  const staff = isStaff(user);
  const query = useCall(ownAccountEndpoints.secondFactor, { enabled: staff });
  const { data, error } = query;
  // A required second factor comes first. Nothing else is loaded until we know whether one is required.
  const isOpen = !staff || data?.needed === false;
  return (
    <Stack gap="lg" maw="48rem">
      <PageTitle title="My Account" />
      <div>
        <Title order={1}>My Account</Title>
        <Text c="dimmed">You log in with {user.username}</Text>
      </div>
      {staff && error !== null && data === undefined && <NotLoaded what="Your account" query={query} />}
      {staff && (error === null || data !== undefined) && (
        <SecondFactorSection username={user.username} secondFactor={data} />
      )}
      {isOpen && <ChangePasswordSection username={user.username} />}
      {/* Last, because its height is unknown until it has loaded. */}
      {isOpen && <OwnSessionsSection username={user.username} />}
    </Stack>
  );
}
