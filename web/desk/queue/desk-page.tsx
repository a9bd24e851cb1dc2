import { Stack } from '@mantine/core';
import { DecidedBefore } from '#web/desk/case/decided-before.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import { Queue } from './queue.tsx';

/** The decision desk: the cases that wait for staff (docs/decisions/0013). */
export function DeskPage() {
  const user = useSessionUser();
  return (
    <Stack gap="md" data-wide-screen>
      <DecidedBefore />
      {user !== null && <Queue me={user.tag} />}
    </Stack>
  );
}
