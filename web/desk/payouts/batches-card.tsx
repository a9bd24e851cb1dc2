import { Button, Group, Text } from '@mantine/core';
import { counted } from '#contract/counts.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import { type PayoutBatch, type PayoutBatches, sayDigest } from '#contract/transfers/batches.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { notices, notify } from '#web/notices.ts';
import { live } from '#web/platform/api/query-client.ts';
import { urlOf } from '#web/platform/api/question.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { SectionCard } from '#web/ui/text/section-card.tsx';

/**
 * Files of payouts for the bank: the contents of the next one, and earlier files. Nothing if no payout goes by file.
 */
export function BatchesCard() {
  const { data } = useCall(transferEndpoints.payoutBatches, live);
  if (data === undefined || data.waiting.length + data.batches.length === 0) return null;
  return (
    <SectionCard title="Files for the bank" padding="md" gap={0}>
      <Text size="sm">
        The person who signs at the bank downloads the file here. They compare payouts, total and check code.
      </Text>
      <ul className={ruled.list}>
        {data.waiting.map((waiting) => (
          <WaitingLine key={`${waiting.rail} ${waiting.currency}`} waiting={waiting} />
        ))}
        {data.batches.map((batch) => (
          <BatchLine key={batch.tag} batch={batch} />
        ))}
      </ul>
    </SectionCard>
  );
}

function WaitingLine({ waiting }: { readonly waiting: PayoutBatches['waiting'][number] }) {
  const making = useSend(transferEndpoints.makePayoutBatch);
  const { rail, currency, count, amount } = waiting;
  const make = (): void =>
    making.mutate(
      { body: { rail, currency }, idempotencyKey: uniqueKey() },
      { onSuccess: () => notify(notices.paymentRecorded('Batch file made. Download it')) },
    );
  return (
    <li>
      <div>
        <Text fw={600}>
          <Amount value={amount} currency={currency} /> in {counted(count, 'payout')}
        </Text>
        <Text size="sm" {...(making.isError ? { c: 'var(--mantine-color-error)', role: 'alert' } : {})}>
          {making.isError ? making.error.message : 'Released, not in a file yet'}
        </Text>
      </div>
      <Button size="sm" loading={making.isPending} onClick={make}>
        Make a batch file
      </Button>
    </li>
  );
}

function BatchLine({ batch }: { readonly batch: PayoutBatch }) {
  const { tag, number, count, open, amount, currency, sha256, madeAt, madeBy } = batch;
  return (
    <li>
      <div>
        <Text fw={600}>
          Batch {number}: <Amount value={amount} currency={currency} /> in {counted(count, 'payout')}
        </Text>
        <Text size="sm">{open === 0 ? 'Every payout has ended' : `${open} of ${count} not on a statement yet`}</Text>
        <Text size="sm" c="dimmed">
          Made by {madeBy}, {sayMoment(new Date(madeAt), new Date())}.{' '}
          <span title={sha256}>Check code {sayDigest(sha256)}</span>
        </Text>
      </div>
      <Group gap="xs">
        <Button
          component="a"
          href={urlOf(transferEndpoints.payoutBatchFile, { params: { tag } })}
          download
          variant="default"
          size="sm"
          aria-label={`Download batch ${number}`}
        >
          Download
        </Button>
      </Group>
    </li>
  );
}
