import { Text } from '@mantine/core';
import { declineReasons } from '#contract/applications/decline-reasons.ts';
import type { ProgressReply, TimelineStep } from '#contract/applications/progress.ts';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { Letters } from './letters.tsx';
import classes from './progress.module.css';
import { stepText } from './step-texts.ts';
import { Withdraw } from './withdraw.tsx';

interface HistoryProps {
  readonly tag: string;
  readonly progress: ProgressReply;
  /** Called when the client has withdrawn the application. */
  readonly onWithdrawn: () => void;
}

/** For the client, below the record: each step, oldest first, the letters, and the button to withdraw. */
export function History({ tag, progress, onWithdrawn }: HistoryProps) {
  return (
    <SectionCard title="What happened">
      <ol className={classes.steps}>
        {progress.steps.map((step) => (
          <li key={`${step.step} ${step.at}`}>
            <span className={classes.stepName}>{stepText(step.step)}</span>
            <time dateTime={step.at} className={classes.stepTime}>
              {formatFullDate(step.at)}
              {step.by !== null && ` · ${step.by}`}
            </time>
            <Note step={step} declined={progress.declined} />
          </li>
        ))}
      </ol>
      <Letters tag={tag} papers={progress.papers} />
      {progress.mayTake.includes('withdraw') && <Withdraw tag={tag} onWithdrawn={onWithdrawn} />}
    </SectionCard>
  );
}

function Note({ step: { step, note }, declined }: { readonly step: TimelineStep } & Pick<ProgressReply, 'declined'>) {
  const reason = step === 'decline' && declined !== null ? `${declineReasons[declined.reason]}. ` : '';
  if (note === null && reason === '') return null;
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
      {reason}
      {note}
    </Text>
  );
}
