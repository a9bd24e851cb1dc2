import { Popover, TextInput } from '@mantine/core';
import { Calendar } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import dayjs from 'dayjs';
import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import { sayDate } from '#contract/time/calendar.ts';
import classes from './calendar-input.module.css';
import type { DateFieldProps } from './date-field.tsx';
import { dateOrTyped, readTypedDate } from './typed-date.ts';

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

/** What stands in the field for what the form holds. */
function display(value: string): string {
  const day = readTypedDate(value);
  return day === null ? value : sayDate(day);
}

/** Whether the calendar is open, whether the keyboard opened it, and the month that it shows. */
function useCalendar(date: string | undefined, latest: string) {
  const [opened, setOpened] = useState(false);
  const [byKeyboard, setByKeyboard] = useState(false);
  const [shown, setShown] = useState(date ?? latest);
  const open = (keyboard: boolean): void => {
    setByKeyboard(keyboard);
    setShown(date ?? latest);
    setOpened(true);
  };
  const turnTo = (day: string | undefined, event: KeyboardEvent): void => {
    if (day === undefined) return;
    event.preventDefault();
    const offered = day > latest ? latest : day;
    setShown(offered);
    setTimeout(() => document.querySelector<HTMLElement>(`${DROPDOWN} [data-day="${offered}"]`)?.focus());
  };
  return { opened, setOpened, byKeyboard, shown, setShown, open, turnTo };
}

/**
 * The date field itself. What is typed stays as it was typed, also when it is no date: the form says so. The calendar opens
 * for a pointer, or by the down arrow, which also goes there; whoever types has no use for something that covers the next
 * field.
 */
export function CalendarInput({ value = '', onChange, onBlur, latest, ...others }: DateFieldProps) {
  const [typed, setTyped] = useState('');
  const date = readTypedDate(value) ?? undefined;
  const calendar = useCalendar(date, latest);
  const change = (text: string): void => {
    setTyped(text);
    onChange(dateOrTyped(text));
  };
  const openByArrow = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      calendar.open(true);
    } else {
      calendar.setOpened(false);
    }
  };
  const leave = ({ relatedTarget }: FocusEvent): void => {
    // Into the calendar is not out of the field.
    if (relatedTarget?.closest(DROPDOWN)) return;
    calendar.setOpened(false);
    setTyped('');
    onBlur?.();
  };
  return (
    <Popover
      opened={calendar.opened}
      onChange={calendar.setOpened}
      position="bottom-start"
      trapFocus={calendar.byKeyboard}
      returnFocus={calendar.byKeyboard}
      withRoles={false}
      shadow="md"
    >
      <Popover.Target>
        <TextInput
          {...others}
          // '5/1/2026' is kept while it is typed; left, it reads as every date does.
          value={typed !== '' && dateOrTyped(typed) === value ? typed : display(value)}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onClick={() => calendar.open(false)}
          onKeyDown={openByArrow}
          onBlur={leave}
          leftSection={<IconCalendar size={18} aria-hidden />}
          leftSectionPointerEvents="none"
          placeholder="Choose"
          autoComplete="off"
          aria-keyshortcuts="ArrowDown"
          // A phone shows the calendar, not a keyboard over it; a real keyboard types all the same.
          inputMode="none"
        />
      </Popover.Target>
      <Popover.Dropdown
        className={classes.dropdown}
        data-dates-dropdown
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        <Days
          date={date}
          latest={latest}
          calendar={calendar}
          onChoose={(day) => {
            calendar.setOpened(false);
            setTyped('');
            onChange(day);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

interface DaysProps {
  readonly date: string | undefined;
  readonly latest: string;
  readonly calendar: ReturnType<typeof useCalendar>;
  readonly onChoose: (day: string) => void;
}

/** The calendar: weeks start on Monday, the heading steps up to the year's months and the decade's years. */
function Days({ date, latest, calendar: { shown, setShown, turnTo }, onChoose }: DaysProps) {
  return (
    <Calendar
      date={shown}
      onDateChange={setShown}
      getDayProps={(day) => ({
        selected: day === date,
        'data-day': day,
        'data-autofocus': day === (date ?? latest) || undefined,
        onClick: () => onChoose(day),
        onKeyDown: (event: KeyboardEvent) => turnTo(dayByKey(day, event), event),
      })}
      getMonthControlProps={(month) => ({ selected: month.slice(0, 7) === date?.slice(0, 7) })}
      getYearControlProps={(year) => ({ selected: year.slice(0, 4) === date?.slice(0, 4) })}
      excludeDate={(day) => day > latest}
      classNames={{ day: classes.day ?? '' }}
      size="md"
      hideOutsideDates
      ariaLabels={CALENDAR_LABELS}
      firstDayOfWeek={1}
      weekendDays={[0, 6]}
    />
  );
}
