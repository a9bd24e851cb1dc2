import { Popover, TextInput } from '@mantine/core';
import { Calendar } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import dayjs from 'dayjs';
import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
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

/** How far each key moves, as in common calendars. */
const STEPS: Readonly<Record<string, readonly [number, 'day' | 'week' | 'month'] | undefined>> = {
  ArrowLeft: [-1, 'day'],
  ArrowRight: [1, 'day'],
  ArrowUp: [-1, 'week'],
  ArrowDown: [1, 'week'],
  PageUp: [-1, 'month'],
  PageDown: [1, 'month'],
};

/** The day that a key leads to; with Shift, a month becomes a year. Undefined for a key that does not move. */
function dayByKey(day: string, { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): string | undefined {
  const step = STEPS[key];
  if (step === undefined || altKey || ctrlKey || metaKey) return undefined;
  const [count, unit] = step;
  return dayjs(day)
    .add(count, shiftKey && unit === 'month' ? 'year' : unit)
    .format('YYYY-MM-DD');
}

/** The field's text for the form's value. */
function display(value: string): string {
  const day = readTypedDate(value);
  return day === null ? value : sayDate(day);
}

/** Whether the calendar is open, whether the keyboard opened it, the month shown, and the day the keyboard is on. */
function useCalendar(date: string | undefined, latest: string) {
  const [opened, setOpened] = useState(false);
  const [byKeyboard, setByKeyboard] = useState(false);
  const [shown, setShown] = useState(date ?? latest);
  const [keyboardDay, setKeyboardDay] = useState(date ?? latest);
  const open = (keyboard: boolean): void => {
    setByKeyboard(keyboard);
    setShown(date ?? latest);
    setKeyboardDay(date ?? latest);
    setOpened(true);
  };
  /**
   * Moves from a day by a key; returns whether the key moves at all. It finishes before the handler returns, because
   * the next key may come within the same frame. If the days are not drawn yet, the focus trap focuses the keyboard's
   * day later.
   */
  const move = (from: string, event: KeyboardEvent): boolean => {
    const day = dayByKey(from, event);
    if (day === undefined) return false;
    event.preventDefault();
    const offered = day > latest ? latest : day;
    flushSync(() => {
      setShown(offered);
      setKeyboardDay(offered);
    });
    document.querySelector<HTMLElement>(`${DROPDOWN} [data-day="${offered}"]`)?.focus();
    return true;
  };
  return { opened, setOpened, byKeyboard, shown, setShown, keyboardDay, open, move };
}

/**
 * The date field itself. Typed text stays as it is, even if it is not a date: the form reports that. The calendar opens
 * with the pointer or the down arrow, which also moves into it. Typing does not open it, because it would cover the
 * next field.
 */
export function CalendarInput({ value = '', onChange, onBlur, latest, ...others }: DateFieldProps) {
  const [typed, setTyped] = useState('');
  const date = readTypedDate(value) ?? undefined;
  const calendar = useCalendar(date, latest);
  const change = (text: string): void => {
    setTyped(text);
    onChange(dateOrTyped(text));
  };
  const choose = (day: string): void => {
    calendar.setOpened(false);
    setTyped('');
    onChange(day);
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (calendar.opened && calendar.byKeyboard) {
      // The calendar is about to take the focus, and this key was meant for it.
      if (calendar.move(calendar.keyboardDay, event)) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        choose(calendar.keyboardDay);
        return;
      }
    }
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      flushSync(() => calendar.open(true));
    } else {
      calendar.setOpened(false);
    }
  };
  const leave = ({ relatedTarget }: FocusEvent): void => {
    // Moving into the calendar does not count as leaving the field.
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
          // '5/1/2026' is kept while it is typed; when the field is left, it is formatted like every date.
          value={typed !== '' && dateOrTyped(typed) === value ? typed : display(value)}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onClick={() => calendar.open(false)}
          onKeyDown={handleKey}
          onBlur={leave}
          leftSection={<IconCalendar size={18} aria-hidden />}
          leftSectionPointerEvents="none"
          placeholder="Choose"
          autoComplete="off"
          aria-keyshortcuts="ArrowDown"
          // A phone shows the calendar without its keyboard over it; a real keyboard still types.
          inputMode="none"
        />
      </Popover.Target>
      <Popover.Dropdown
        className={classes.dropdown}
        data-dates-dropdown
        // Keeps the focus in the field.
        onMouseDown={(event) => event.preventDefault()}
      >
        {/* Not on the dropdown, which has its own handler. */}
        <div
          onKeyDownCapture={(event) => {
            const { day } = event.target instanceof HTMLElement ? event.target.dataset : {};
            // Mantine's own arrow keys stop at the end of a month, and would move a second time.
            if (day !== undefined && calendar.move(day, event)) event.stopPropagation();
          }}
        >
          <Days date={date} latest={latest} calendar={calendar} onChoose={choose} />
        </div>
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

/** The calendar: weeks start on Monday; the heading switches to the year's months and the decade's years. */
function Days({ date, latest, calendar: { shown, setShown, keyboardDay }, onChoose }: DaysProps) {
  return (
    <Calendar
      date={shown}
      onDateChange={setShown}
      getDayProps={(day) => ({
        selected: day === date,
        'data-day': day,
        'data-autofocus': day === keyboardDay || undefined,
        onClick: () => onChoose(day),
      })}
      getMonthControlProps={(month) => ({ selected: month.slice(0, 7) === date?.slice(0, 7) })}
      getYearControlProps={(year) => ({ selected: year.slice(0, 4) === date?.slice(0, 4) })}
      excludeDate={(day) => day > latest}
      classNames={{ day: classes.day ?? '' }}
      size="md"
      hideOutsideDates
      highlightToday
      ariaLabels={CALENDAR_LABELS}
      firstDayOfWeek={1}
      weekendDays={[0, 6]}
    />
  );
}
