import { Alert, Button, Card, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import {
  type CollectionEntry,
  collectionKinds,
  contactChannels,
  type RepaymentReply,
} from '#contract/collections/schema.ts';
import { overdueBuckets } from '#contract/payments/buckets.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { focusMenuButton } from '#web/ui/focus/menu-button-focus.ts';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { Copyable } from '#web/ui/text/copyable.tsx';
import { Facts } from '#web/ui/text/figure.tsx';
import classes from './collections-card.module.css';
import { EntryDialog, type EntryKind } from './entry-dialog.tsx';
import { MoreTime } from './more-time.tsx';
import { PromiseState } from './promise-state.tsx';

interface CollectionsCardProps {
  /** The invoice's tag. */
  readonly tag: string;
  /** Whether this officer may add an entry. */
  readonly mayAdd: boolean;
}

/** How an advance is paid back: its reference, what client and buyer said, and what officers did. */
export function CollectionsCard({ tag, mayAdd }: CollectionsCardProps) {
  const repayment = useCall(collectionEndpoints.repayment, { params: { tag }, ...live });
  return (
    <Card component="section" aria-label="Paying back" padding="md">
      <Stack gap="sm">
        <Loaded what="The repayment" query={repayment} height={140}>
          {(data) => <Collections tag={tag} mayAdd={mayAdd} repayment={data} />}
        </Loaded>
      </Stack>
    </Card>
  );
}

function Collections({ tag, mayAdd, repayment }: CollectionsCardProps & { readonly repayment: RepaymentReply }) {
  const { currency, outstanding, bucket, repaymentReference, buyerLate, dispute, entries } = repayment;
  const [open, setOpen] = useState<EntryKind>();
  const reference = (
    <Copyable name="reference" unbroken>
      {sayRepaymentReference(repaymentReference)}
    </Copyable>
  );
  const actions: readonly (readonly [EntryKind, string])[] = [
    ['contact', 'Contact'],
    ['promise', 'Promise to pay'],
    ['note', 'Note'],
    dispute === null ? ['dispute', 'Buyer disputes'] : ['disputeEnded', 'End of the dispute'],
  ];
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={2}>Paying back</Title>
        {mayAdd && outstanding > 0 && (
          <Menu position="bottom-end" returnFocus>
            <Menu.Target>
              <Button size="sm" variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
                Record
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {actions.map(([kind, label]) => (
                <Menu.Item
                  key={kind}
                  onClick={(event) => {
                    focusMenuButton(event);
                    setOpen(kind);
                  }}
                >
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <Facts
        facts={[
          { label: 'Repayment reference', value: reference, isText: true },
          { label: 'Late', value: bucket && overdueBuckets[bucket].label },
        ]}
      />
      {dispute !== null && (
        <Alert color="yellow" variant="light" title="The buyer disputes this invoice">
          <Text size="sm" className={classes.text}>
            {dispute.reason}
          </Text>
          <Text size="sm">No reminders are sent until you end it.</Text>
        </Alert>
      )}
      {buyerLate !== null && (
        <Alert color="yellow" variant="light" title={`The client says the buyer pays on ${sayDate(buyerLate.date)}`}>
          <Text size="sm" className={classes.text}>
            {buyerLate.reason}
          </Text>
        </Alert>
      )}
      <MoreTime tag={tag} mayAct={mayAdd} />
      <Record entries={entries} currency={currency} />
      {open !== undefined && (
        <EntryDialog
          tag={tag}
          kind={open}
          currency={currency}
          outstanding={outstanding}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** All entries, newest first. */
function Record({ entries, currency }: { readonly entries: readonly CollectionEntry[]; readonly currency: string }) {
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing on record yet.
      </Text>
    );
  return (
    <ul className={classes.entries} aria-label="What was said and done">
      {entries.map((entry) => (
        <li key={entry.tag}>
          <Text size="sm" fw={600}>
            {entry.channel === null ? collectionKinds[entry.kind] : contactChannels[entry.channel]}
          </Text>
          {entry.promise !== null && <PromiseState promise={entry.promise} currency={currency} />}
          {entry.note !== null && (
            <Text size="sm" className={classes.text}>
              {entry.note}
            </Text>
          )}
          {entry.buyerPaysOn !== null && <Text size="sm">The buyer pays on {sayDate(entry.buyerPaysOn)}</Text>}
          {entry.nextStep !== null && (
            <Text size="sm">
              Next: {entry.nextStep.text}
              {entry.nextStep.on !== null && `, ${sayDate(entry.nextStep.on)}`}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {formatFormDate(entry.at)} · {entry.by}
          </Text>
        </li>
      ))}
    </ul>
  );
}
