import { Text } from '@mantine/core';
import { formatAmount, toMinor } from '#contract/money.ts';

interface AmountProps {
  /** The wire's number; null shows '-'. */
  readonly value: number | null;
  /** The currency's code, shown before the figure. */
  readonly currency?: string;
}

/** An amount of money in one line with tabular figures: up to 2 decimals, '-' when empty (specification, section 9). */
export function Amount({ value, currency }: AmountProps) {
  const figure = value === null ? '-' : formatAmount(toMinor(value));
  return (
    <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {currency !== undefined && value !== null && (
        <Text component="span" size="xs" c="dimmed" mr={4}>
          {currency}
        </Text>
      )}
      {figure}
    </span>
  );
}
