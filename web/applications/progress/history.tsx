import { Text, Title } from '@mantine/core';
import { useId } from 'react';
import { declineReasons } from '#contract/applications/decline-reasons.ts';
import type { ProgressReply, TimelineStep } from '#contract/applications/progress.ts';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import classes from './progress.module.css';
import { stepText } from './step-texts.ts';

/** The history of an application, oldest first: each step with its time and note. */
export function History({ progress }: { readonly progress: Pick<ProgressReply, 'steps' | 'declined'> }) {
  const id = useId();
  return (
    <section className={classes.history} aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb="sm">
        What happened
      </Title>
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
    </section>
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
