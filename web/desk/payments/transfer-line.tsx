import { Text } from '@mantine/core';
import { sayToOfficer } from '#contract/transfers/officer-words.ts';
import type { ShownTransfer } from '#contract/transfers/schema.ts';
import { Amount } from '#web/ui/text/amount.tsx';

interface TransferLineProps {
  readonly transfer: ShownTransfer;
  readonly currency: string;
  /** Whether amount and account stand in other columns. */
  readonly isInColumns?: boolean;
}

/** A payout made by a provider or a bank: its state, and the provider's own words. */
export function TransferLine({ transfer, currency, isInColumns = false }: TransferLineProps) {
  const { amount, to, said, state, releasedBy, file, part, rail, refusal } = transfer;
  const isRefused = state === 'failed';
  return (
    <div>
      {part?.paid.map((paid, index) => (
        <Text size="sm" key={paid.providerReference}>
          Part {index + 1} of {part.of}: <Amount value={paid.amount} currency={currency} /> paid out, {rail}{' '}
          {paid.providerReference}
        </Text>
      ))}
      <Text {...(isRefused ? { c: 'var(--mantine-color-error)' } : {})}>{sayToOfficer(transfer, new Date())}.</Text>
      <Text size="sm">
        {!isInColumns && (
          <>
            <Amount value={amount} currency={currency} /> to {to}
            {releasedBy !== null && '. '}
          </>
        )}
        {releasedBy !== null && `Released by ${releasedBy}`}
      </Text>
      {part !== null && part.rest > 0 && !isRefused && (
        <Text size="sm">
          <Amount value={part.rest} currency={currency} /> follows once this part is paid.
        </Text>
      )}
      {said !== null && state !== 'succeeded' && !(file !== null && refusal === 'byHand') && (
        <Text size="sm" c="dimmed">
          {file === null ? 'The provider says' : 'Reason'}: {said}
        </Text>
      )}
    </div>
  );
}
