import { type InputWrapperProps, NumberInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** An amount in a form: the wire's number, or '' before anything is typed. */
export type TypedAmount = number | '';

interface MoneyInputProps extends Pick<InputWrapperProps, 'description' | 'inputWrapperOrder'> {
  readonly label: string;
  readonly value?: TypedAmount;
  readonly onChange: (amount: TypedAmount) => void;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
  readonly error?: ReactNode;
  readonly required?: boolean;
  /** The currency's code, before the amount. */
  readonly currency?: string | undefined;
  readonly 'data-path'?: string;
}

/**
 * An amount with a comma as thousands separator and 2 decimals (docs/specification-coverage.md, 2). The decimals are filled in
 * on leaving the field: filling them in between keystrokes moves the caret about on phones.
 */
export function MoneyInput({ value = '', onChange, onBlur, currency, ...others }: MoneyInputProps) {
  const [typed, setTyped] = useState<number | string>(value);
  const [typing, setTyping] = useState(false);
  return (
    <NumberInput
      {...others}
      // The typed text ('12.' or '12.50') is kept while it means the form's amount.
      value={readAmount(typed) === value ? typed : value}
      onChange={(text) => {
        setTyping(true);
        setTyped(text);
        onChange(readAmount(text));
      }}
      onBlur={() => {
        setTyping(false);
        onBlur?.();
      }}
      leftSection={currency}
      leftSectionWidth={currency === undefined ? undefined : 52}
      leftSectionProps={{ 'aria-hidden': true }}
      thousandSeparator=","
      allowedDecimalSeparators={['.']}
      decimalScale={2}
      fixedDecimalScale={!typing}
      // A minus is kept for the form to refuse: left out, '-5' would become 5 without a word.
      clampBehavior="none"
      withKeyboardEvents={false}
      hideControls
      autoComplete="off"
      styles={{ input: { fontVariantNumeric: 'tabular-nums' } }}
    />
  );
}

function readAmount(text: number | string): TypedAmount {
  const amount = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(amount) ? amount : '';
}
