import { DateInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './calendar-input.module.css';
import type { DateFieldProps } from './date-field.tsx';
import { readTypedDate } from './typed-date.ts';

const CALENDAR_LABELS = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous decade',
  nextDecade: 'Next decade',
} as const;

/**
 * The date field itself: weeks start on Monday, the heading steps up to the year's months and the decade's years. The
 * calendar opens for a pointer alone; whoever types has no use for something that covers the next field.
 */
export function CalendarInput({ value = '', onChange, onBlur, latest, ...others }: DateFieldProps) {
  const [opened, setOpened] = useState(false);
  return (
    <DateInput
      {...others}
      value={value === '' ? null : value}
      onChange={(date) => {
        setOpened(false);
        onChange(date ?? '');
      }}
      onClick={() => setOpened(true)}
      onKeyDown={() => setOpened(false)}
      onBlur={() => {
        setOpened(false);
        onBlur?.();
      }}
      popoverProps={{ opened, onChange: setOpened, withinPortal: true, shadow: 'md' }}
      valueFormat="D MMM YYYY"
      dateParser={readTypedDate}
      excludeDate={(day) => day > latest}
      defaultDate={latest}
      classNames={{ day: classes.day }}
      hideOutsideDates
      ariaLabels={CALENDAR_LABELS}
      firstDayOfWeek={1}
      weekendDays={[0, 6]}
      allowDeselect={false}
      leftSection={<IconCalendar size={18} aria-hidden />}
      leftSectionPointerEvents="none"
      placeholder="D MMM YYYY"
      // A phone shows the calendar, not a keyboard over it; a real keyboard types all the same.
      inputMode="none"
    />
  );
}
