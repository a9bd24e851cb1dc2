import { Stack } from '@mantine/core';
import { Queue } from '#web/desk/queue.tsx';
import { useSessionUser } from '#web/platform/session.ts';
import { PageTitle } from '#web/ui/page-title.tsx';
import { DecidedBefore } from './decided-before.tsx';

/** The decision desk: what waits for the staff (issue 'The decision desk'). */
export function DeskPage() {
  const user = useSessionUser();
  return (
    <Stack gap="md" data-wide-screen>
      <PageTitle title="Decision Desk" />
      <DecidedBefore />
      {user !== null && <Queue me={user.tag} />}
    </Stack>
  );
}
