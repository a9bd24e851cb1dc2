import { Anchor, Text } from '@mantine/core';
import { z } from 'zod';
import { paths } from '#web/paths.ts';
import { Link, useLocation } from '#web/platform/router/router.tsx';

/** The officer's last decision, passed to the next screen in the history entry's state. */
const decidedBefore = z.object({ decided: z.object({ tag: z.string(), said: z.string() }) });
export type DecidedBeforeState = z.output<typeof decidedBefore>;

/** What the officer did with the previous case, with a link back to it. */
export function DecidedBefore() {
  const { state } = useLocation();
  const known = decidedBefore.safeParse(state);
  if (!known.success) return null;
  const { tag, said } = known.data.decided;
  return (
    <Text size="sm" c="dimmed">
      {said}.{' '}
      <Anchor component={Link} to={paths.deskCase(tag)} inherit>
        Back to it
      </Anchor>
    </Text>
  );
}
