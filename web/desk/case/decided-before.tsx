import { Anchor, Text } from '@mantine/core';
import { z } from 'zod';
import { paths } from '#web/paths.ts';
import { Link, useLocation } from '#web/platform/router/router.tsx';

/** What an officer has just decided: it travels as the address's state to the screen that follows. */
const decidedBefore = z.object({ decided: z.object({ tag: z.string(), said: z.string() }) });
export type DecidedBeforeState = z.output<typeof decidedBefore>;

/** What was done with the case before, and the way back to it. */
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
