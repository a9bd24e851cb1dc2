import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { BuyerRequestRow } from '#contract/onboarding/schema.ts';
import { usePages, WaitingCard } from '#web/businesses/waiting-card.tsx';
import { TableDate } from '#web/ui/dates/table-date.tsx';
import { FormModal } from '#web/ui/forms/form-modal.tsx';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { BusinessLink } from '#web/ui/text/business-link.tsx';
import { useBuyerRequests } from './buyer-requests.api.ts';

const dialogs = {
  add: {
    title: 'Add buyer',
    Body: late(async () => (await import('./add-buyer-form.tsx')).AddBuyerForm),
  },
  refuse: {
    title: 'Refuse request',
    Body: late(async () => (await import('./refuse-buyer-form.tsx')).RefuseBuyerForm),
  },
} as const;

type Answer = keyof typeof dialogs;

/** The buyers that clients requested, oldest first; nothing if there are none. */
export function BuyerRequests() {
  const requests = usePages(useBuyerRequests);
  const [opened, dialog] = useDisclosure(false);
  // Kept while the dialog closes.
  const [chosen, setChosen] = useState<{ readonly answer: Answer; readonly request: BuyerRequestRow }>();
  const { title, Body } = dialogs[chosen?.answer ?? 'add'];
  const open = (answer: Answer, request: BuyerRequestRow): void =>
    openLate(dialogs[answer].Body, () => {
      setChosen({ answer, request });
      dialog.open();
    });
  return (
    <>
      <WaitingCard
        {...requests}
        title="Buyers to add"
        headingId="buyers-to-add"
        what="The buyers to add"
        pagesLabel="Pages of buyers to add"
      >
        {(request) => <Request key={request.tag} request={request} onAct={(answer) => open(answer, request)} />}
      </WaitingCard>
      <FormModal opened={opened} onClose={dialog.close} title={title}>
        {chosen !== undefined && <Body request={chosen.request} onClose={dialog.close} />}
      </FormModal>
    </>
  );
}

interface RequestProps {
  readonly request: BuyerRequestRow;
  readonly onAct: (answer: Answer) => void;
}

function Request({ request: { name, business, businessTag, askedBy, askedAt, match }, onAct }: RequestProps) {
  return (
    <li>
      <div>
        <b>{name}</b>
        <Text size="sm" c="dimmed">
          {askedBy} of <BusinessLink tag={businessTag}>{business}</BusinessLink> asked, <TableDate date={askedAt} />
          {match !== null && '. On Kasente already'}
        </Text>
      </div>
      <Group gap="xs">
        <Button variant="default" size="sm" aria-label={`Refuse ${name}`} onClick={() => onAct('refuse')}>
          Refuse
        </Button>
        <Button variant="light" size="sm" aria-label={`Add ${name}`} onClick={() => onAct('add')}>
          Add
        </Button>
      </Group>
    </li>
  );
}
