import { DateInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import type { DateFieldProps } from './date-field.tsx';
import { readTypedDate } from './typed-date.ts';

/** The date field itself: weeks start on Monday, the heading steps up to the year's months and the decade's years. */
export function CalendarInput({ value = '', onChange, latest, ...others }: DateFieldProps) {
  return (
    <DateInput
      {...others}
      value={value === '' ? null : value}
      onChange={(date) => onChange(date ?? '')}
      valueFormat="D MMM YYYY"
      dateParser={readTypedDate}
      excludeDate={(day) => day > latest}
      defaultDate={latest}
      firstDayOfWeek={1}
      weekendDays={[0, 6]}
      allowDeselect={false}
      leftSection={<IconCalendar size={18} aria-hidden />}
      leftSectionPointerEvents="none"
      placeholder="D MMM YYYY"
      // A phone shows the calendar, not a keyboard over it; a real keyboard types all the same.
      inputMode="none"
      popoverProps={{ withinPortal: true, shadow: 'md' }}
    />
  );
}
