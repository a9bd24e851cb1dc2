import { DateInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import dayjs from 'dayjs';
import { type KeyboardEvent, useState } from 'react';
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

const DROPDOWN = '[data-dates-dropdown]';

/** The day that these keys lead to from another, as in every calendar: a month or, with Shift, a year on or back. */
function dayByKey(day: string, { key, shiftKey }: KeyboardEvent): string | undefined {
  const direction = { PageUp: -1, PageDown: 1 }[key];
  if (direction === undefined) return undefined;
  return dayjs(day)
    .add(direction, shiftKey ? 'year' : 'month')
    .format('YYYY-MM-DD');
}

/**
 * The date field itself: weeks start on Monday, the heading steps up to the year's months and the decade's years. The
 * calendar opens for a pointer, or by the down arrow, which also goes there; whoever types has no use for something that
 * covers the next field.
 */
export function CalendarInput({ value = '', onChange, onBlur, latest, ...others }: DateFieldProps) {
  const [opened, setOpened] = useState(false);
  const [byKeyboard, setByKeyboard] = useState(false);
  const [shown, setShown] = useState(value === '' ? latest : value);
  const open = (keyboard: boolean): void => {
    setByKeyboard(keyboard);
    setOpened(true);
  };
  const turnTo = (day: string | undefined, event: KeyboardEvent): void => {
    if (day === undefined) return;
    event.preventDefault();
    const offered = day > latest ? latest : day;
    setShown(offered);
    setTimeout(() => document.querySelector<HTMLElement>(`${DROPDOWN} [data-day="${offered}"]`)?.focus());
  };
  const openByArrow = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      open(true);
    } else {
      setOpened(false);
    }
  };
  return (
    <DateInput
      {...others}
      value={value === '' ? null : value}
      onChange={(date) => {
        setOpened(false);
        onChange(date ?? '');
      }}
      onClick={() => open(false)}
      onKeyDown={openByArrow}
      onBlur={({ relatedTarget }) => {
        // Into the calendar is not out of the field.
        if (relatedTarget?.closest(DROPDOWN)) return;
        setOpened(false);
        onBlur?.();
      }}
      popoverProps={{
        opened,
        onChange: setOpened,
        trapFocus: byKeyboard,
        returnFocus: byKeyboard,
        withinPortal: true,
        shadow: 'md',
        classNames: { dropdown: classes.dropdown ?? '' },
      }}
      date={shown}
      onDateChange={setShown}
      getDayProps={(day) => ({
        'data-day': day,
        'data-autofocus': day === (value === '' ? latest : value) || undefined,
        onKeyDown: (event: KeyboardEvent) => turnTo(dayByKey(day, event), event),
      })}
      valueFormat="D MMM YYYY"
      dateParser={readTypedDate}
      excludeDate={(day) => day > latest}
      classNames={{ day: classes.day }}
      hideOutsideDates
      ariaLabels={CALENDAR_LABELS}
      firstDayOfWeek={1}
      weekendDays={[0, 6]}
      allowDeselect={false}
      leftSection={<IconCalendar size={18} aria-hidden />}
      leftSectionPointerEvents="none"
      placeholder="Choose"
      aria-keyshortcuts="ArrowDown"
      // A phone shows the calendar, not a keyboard over it; a real keyboard types all the same.
      inputMode="none"
    />
  );
}
