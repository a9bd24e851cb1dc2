import { Button, Card, Text } from '@mantine/core';
import type { PersonRow } from '#contract/people/schema.ts';
import { BusinessLink } from '#web/ui/text/business-link.tsx';
import classes from './stated-business.module.css';

type Stated = NonNullable<PersonRow['stated']>;

interface StatedBusinessProps {
  readonly stated: Stated;
  readonly onAdd: () => void;
}

/**
 * The business that a person who waits for activation has named, and a button to add it if it cannot be chosen yet. An
 * existing client is never preselected: anybody can name one, and its users see all its data here.
 */
export function StatedBusiness({ stated: { business, tin, match }, onAdd }: StatedBusinessProps) {
  return (
    <Card withBorder padding="sm">
      <Text size="sm" className={classes.said ?? ''}>
        They say: <b>{business}</b>
        {tin !== null && `, TIN ${tin}`}
      </Text>
      {match === null && (
        <Button variant="light" size="sm" mt="xs" className={classes.add ?? ''} onClick={onAdd}>
          Add business {business}
        </Button>
      )}
      {match?.isActiveClient && (
        <Text size="sm" c="var(--mantine-color-error)">
          {match.name} is a client already. Call them first: do they want this person to act for them?
        </Text>
      )}
      {match !== null && !match.isActiveClient && (
        <Text size="sm" c="dimmed">
          <BusinessLink tag={match.tag}>{match.name}</BusinessLink> is not an active client yet. Change that on its
          page.
        </Text>
      )}
    </Card>
  );
}
