import { counted } from '#contract/counts.ts';
import type { DayState } from '#contract/statements/closing.ts';
import type { ReconciliationReply } from '#contract/statements/schema.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import classes from './reconciliation.module.css';

const signs: Readonly<Record<DayState, { readonly sign: string; readonly words: string }>> = {
  closed: { sign: '✓', words: 'Closed' },
  agrees: { sign: '=', words: 'Agrees, to close' },
  noStatement: { sign: '–', words: 'No statement' },
  differs: { sign: '!', words: 'Differs' },
};

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

/** The recent days of an account with their state, and a link to each. */
export function DayStrip({ shown: { rail, currency, day: chosen, days } }: { readonly shown: ReconciliationReply }) {
  const states = (Object.keys(signs) as DayState[]).filter((one) => days.some(({ state }) => state === one));
  return (
    <nav aria-label="Days">
      <ol className={classes.strip}>
        {days.map(({ day, open, state }) => (
          <li key={day}>
            <Link
              to={paths.reconciliationOf(rail, currency, day)}
              className={classes.day}
              data-state={state}
              aria-current={day === chosen ? 'date' : undefined}
              aria-label={`${sayDate(day)}: ${open > 0 ? counted(open, 'difference') : signs[state].words}`}
            >
              <span className={classes.weekday}>{weekday.format(new Date(day))}</span>
              <span>{Number(day.slice(-2))}</span>
              <span className={classes.sign}>{open > 0 ? `! ${open}` : signs[state].sign}</span>
            </Link>
          </li>
        ))}
      </ol>
      <p className={classes.legend} aria-hidden>
        {states.map((one) => (
          <span key={one}>
            {signs[one].sign} {signs[one].words}
          </span>
        ))}
      </p>
    </nav>
  );
}
