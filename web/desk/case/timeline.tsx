import { Text, Timeline } from '@mantine/core';
import { declineReasons } from '#contract/applications/decline-reasons.ts';
import type { InformationRequest, ProgressReply } from '#contract/applications/progress.ts';
import { Letters } from '#web/applications/progress/letters.tsx';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import { type Asked, Loaded } from '#web/ui/loading/not-loaded.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import classes from './case.module.css';
import { stepNames } from './step-names.ts';

interface CaseTimelineProps {
  readonly tag: string;
  /** The query that loads the progress. */
  readonly progress: Asked<ProgressReply>;
}

/** The history of a case: every step with its time and officer, the requests, and the letters. */
export function CaseTimeline({ tag, progress }: CaseTimelineProps) {
  return (
    <SectionCard title="What happened" padding="md" gap="sm">
      <Loaded what="The steps" query={progress} height={160}>
        {(data) => (
          <>
            <Letters tag={tag} papers={data.papers} />
            <Steps progress={data} />
          </>
        )}
      </Loaded>
    </SectionCard>
  );
}

function Steps({ progress: { steps, requests, declined } }: { readonly progress: ProgressReply }) {
  return (
    <Timeline active={steps.length - 1} bulletSize={14} lineWidth={2} component="ol" className={classes.timeline}>
      {steps.map(({ step, at, by, note }) => {
        const request = step === 'answerRequest' ? requests.find(({ answeredAt }) => answeredAt === at) : undefined;
        return (
          <Timeline.Item key={`${step} ${at}`} component="li" title={stepNames[step]}>
            <Text size="xs" c="dimmed">
              <time dateTime={at}>{formatFullDate(at)}</time>
              {by !== null && ` · ${by}`}
            </Text>
            {step === 'decline' && declined !== null && <Text size="sm">{declineReasons[declined.reason]}.</Text>}
            {note !== null && <Said>{note}</Said>}
            {request !== undefined && <Answer request={request} noted={note} />}
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

/** Free text, with its own line breaks. */
function Said({ children }: { readonly children: string }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
      {children}
    </Text>
  );
}

function Answer({
  request: { answer, documents },
  noted,
}: {
  readonly request: InformationRequest;
  readonly noted: string | null;
}) {
  const uploaded = documents.filter((document) => document.uploaded).map(({ type }) => type);
  return (
    <>
      {answer !== null && answer !== noted && <Said>{answer}</Said>}
      {uploaded.length > 0 && <Text size="sm">Uploaded: {uploaded.join(', ')}</Text>}
    </>
  );
}
