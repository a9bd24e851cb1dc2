import { Button, Card, Group, Pagination, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { BuyerRequestRow } from '#contract/onboarding/schema.ts';
import { PAGE_SIZE } from '#contract/product.ts';
import { TableDate } from '#web/ui/dates/table-date.tsx';
import { FormModal } from '#web/ui/forms/form-modal.tsx';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
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

/** The buyers that clients request, oldest first; nothing if there are none. */
export function BuyerRequests() {
  const [page, setPage] = useState(1);
  const requests = useBuyerRequests(page);
  const [opened, dialog] = useDisclosure(false);
  // Kept while the dialog closes.
  const [chosen, setChosen] = useState<{ readonly answer: Answer; readonly request: BuyerRequestRow }>();
  const rows = requests.data ?? [];
  const total = rows[0]?.total ?? 0;
  if (rows.length === 0 && page > 1 && requests.isSuccess && !requests.isPlaceholderData) setPage(page - 1);
  const { title, Body } = dialogs[chosen?.answer ?? 'add'];
  const open = (answer: Answer, request: BuyerRequestRow): void =>
    openLate(dialogs[answer].Body, () => {
      setChosen({ answer, request });
      dialog.open();
    });
  return (
    <>
      {requests.isError && <NotLoaded what="The buyers to add" query={requests} />}
      {rows.length > 0 && (
        <Card component="section" aria-labelledby="buyers-to-add" padding="md">
          <Title order={2} id="buyers-to-add">
            Buyers to add
          </Title>
          <ul className={ruled.list}>
            {rows.map((request) => (
              <Request key={request.tag} request={request} onAct={(answer) => open(answer, request)} />
            ))}
          </ul>
          {total > PAGE_SIZE && (
            <Pagination
              total={Math.ceil(total / PAGE_SIZE)}
              value={page}
              onChange={setPage}
              aria-label="Pages of buyers to add"
            />
          )}
        </Card>
      )}
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

function Request({ request: { name, business, askedBy, askedAt, match }, onAct }: RequestProps) {
  return (
    <li>
      <div>
        <b>{name}</b>
        <Text size="sm" c="dimmed">
          {askedBy} of {business} asked, <TableDate date={askedAt} />
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
