import { Input, type InputWrapperProps } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';

export interface DateFieldProps extends Pick<InputWrapperProps, 'description'> {
  readonly label: string;
  /** YYYY-MM-DD, '', or the typed text if it is not a date. */
  readonly value?: string;
  /** Receives any of these: refusing a wrong entry is up to the form; the field never replaces it. */
  readonly onChange: (date: string) => void;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
  readonly error?: ReactNode;
  readonly required?: boolean;
  /**
   * The last day that the calendar offers, YYYY-MM-DD. A later one can be typed; the form then refuses it with a
   * reason.
   */
  readonly latest: string;
  readonly 'data-path'?: string;
}

/** The calendar's code loads after the form is on the screen. */
const DateInput = lazy(async () => ({ default: (await import('./calendar-input.tsx')).CalendarInput }));

/** A date as 'D MMM YYYY', typed or picked from a calendar (docs/specification-coverage.md, 4 and 9). */
export function DateField(props: DateFieldProps) {
  return (
    <Suspense fallback={<DateFieldPlaceholder label={props.label} required={props.required ?? false} />}>
      <DateInput {...props} />
    </Suspense>
  );
}

function DateFieldPlaceholder({ label, required }: { readonly label: string; readonly required: boolean }) {
  return (
    <Input.Wrapper label={label} required={required} labelElement="div">
      <Input component="div" aria-busy />
    </Input.Wrapper>
  );
}
