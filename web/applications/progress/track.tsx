import { IconCheck } from '@tabler/icons-react';
import { type Stage, stages, type Track } from '#contract/applications/track.ts';
import classes from './track.module.css';

const labels: Readonly<Record<Stage, string>> = {
  sent: 'Sent',
  checked: 'Checked',
  approved: 'Approved',
  cash: 'Cash',
  paidBack: 'Paid back',
};

/** How far an application is, and whether we or the client act next. */
export function ProgressTrack({ track: { stage, next } }: { readonly track: Track }) {
  const current = stage === undefined ? stages.length : stages.indexOf(stage);
  return (
    <ol className={classes.track} aria-label="How far this is">
      {stages.map((each, index) => (
        <li
          key={each}
          className={classes.stage}
          data-done={index < current || undefined}
          data-next={index === current ? next : undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className={classes.bullet}>
            {index < current && <IconCheck size={14} stroke={3} role="img" aria-label="Done:" />}
          </span>
          {labels[each]}
          {index === current && <span className={classes.next}>{next === 'client' ? 'You' : 'Kasente'}</span>}
        </li>
      ))}
    </ol>
  );
}
