import { type InputWrapperProps, TextInput } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { regroup } from './regroup.ts';
import { amountIn, formatTyped, type TypedAmount } from './typed-amount.ts';

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
 * An amount with a comma as thousands separator and 2 decimals (docs/specification-coverage.md, 2), which are filled in
 * on leaving the field. Ambiguous text stays as it is, and the form's schema says how to write it
 * (docs/decisions/0056-amounts-in-text.md).
 */
export function MoneyInput({ value = '', onChange, onBlur, currency, ...others }: MoneyInputProps) {
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && amountIn(typed, currency) === value;
  const shown = isTyped ? typed : formatTyped(value);
  // Text typed before the currency was known or changed may have one meaning in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field's own changes are read as they are typed.
  useEffect(() => {
    const read = typeof value === 'string' ? amountIn(value, currency) : value;
    if (read !== value) onChange(read);
  }, [currency]);
  return (
    <TextInput
      {...others}
      value={shown}
      onChange={(event) => {
        const text = putCommas(event, { before: shown, formatted: !isTyped });
        setTyped(text);
        onChange(amountIn(text, currency));
      }}
      onBlur={() => {
        setTyped(undefined);
        onBlur?.();
      }}
      leftSection={currency}
      leftSectionWidth={currency === undefined ? undefined : 52}
      leftSectionProps={{ 'aria-hidden': true }}
      inputMode="decimal"
      autoComplete="off"
      styles={{ input: { fontVariantNumeric: 'tabular-nums' } }}
    />
  );
}

/** Groups the digits in the field itself: if React set the text, the caret would jump to its end. */
function putCommas(
  { currentTarget: input, nativeEvent }: ChangeEvent<HTMLInputElement>,
  shown: { readonly before: string; readonly formatted: boolean },
): string {
  const after = input.value;
  const edit = nativeEvent instanceof InputEvent ? nativeEvent : undefined;
  if (edit?.isComposing) return after;
  const byKey = edit !== undefined && (edit.inputType.startsWith('delete') || /^\d$/.test(edit.data ?? ''));
  const forward = edit?.inputType === 'deleteContentForward';
  const { text, caret } = regroup({ ...shown, after, caret: input.selectionStart ?? after.length, byKey, forward });
  if (text !== after) {
    input.value = text;
    input.setSelectionRange(caret, caret);
  }
  return text;
}
