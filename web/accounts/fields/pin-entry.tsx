import { Box, Input } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';
import classes from './pin-entry.module.css';

interface PinEntryProps {
  readonly label: string;
  /** Set where a heading already serves as the label. */
  readonly labelHidden?: boolean;
  readonly description?: ReactNode;
  readonly length: number;
  readonly value: string;
  readonly onChange: (digits: string) => void;
  /** Called with all digits when the last one is typed. */
  readonly onComplete?: (digits: string) => void;
  /** Called when something other than digits was typed; it is left out. */
  readonly onNotDigits?: () => void;
  readonly error?: ReactNode;
  readonly readOnly?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/**
 * A numeric code, shown as boxes. Underneath it is one input, so that paste, the phone's code suggestion, screen
 * readers and backspace work as people expect.
 */
export function PinEntry(props: PinEntryProps) {
  const { label, labelHidden, description, length, value, onChange, onComplete, onNotDigits, error, readOnly, ref } =
    props;
  const id = useId();
  const type = (typed: string) => {
    const digits = typed.replaceAll(/\D/g, '').slice(0, length);
    onChange(digits);
    if (/[^\d\s-]/.test(typed)) onNotDigits?.();
    if (digits.length === length && digits !== value) onComplete?.(digits);
  };
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      size="md"
      error={error}
      labelProps={labelHidden ? { className: classes.hidden } : undefined}
      errorProps={{ role: 'alert' }}
    >
      <Box className={classes.frame} __vars={{ '--length': String(length) }} data-error={error ? true : undefined}>
        {Array.from({ length }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a box is identified by its position
          <span key={index} className={classes.box} data-next={index === Math.min(value.length, length - 1)} />
        ))}
        <input
          ref={ref}
          id={id}
          className={classes.input}
          value={value}
          onChange={(event) => type(event.currentTarget.value)}
          readOnly={readOnly}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\d*"
          spellCheck={false}
          aria-required
          aria-invalid={error ? true : undefined}
          aria-describedby={
            [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
          }
        />
      </Box>
    </Input.Wrapper>
  );
}
