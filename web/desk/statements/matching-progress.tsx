import { Progress, Text } from '@mantine/core';
import { counted, formatCount } from '#contract/counts.ts';
import type { Matching } from '#contract/statements/schema.ts';

/** How many of a statement's payments have been matched so far. */
export function MatchingProgress({ toMatch, matched }: Pick<Matching, 'toMatch' | 'matched'>) {
  return (
    <div>
      <Text size="sm">
        Matching {counted(toMatch, 'payment')}: {formatCount(matched)} matched so far.
      </Text>
      <Progress value={toMatch === 0 ? 0 : (matched / toMatch) * 100} animated mt="xxs" aria-label="Payments matched" />
    </div>
  );
}
