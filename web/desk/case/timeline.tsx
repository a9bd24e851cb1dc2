import { Anchor, Card, Group, Stack, Text, Timeline, Title } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { declineReasons } from '#contract/applications/decline-reasons.ts';
import type { InformationRequest, ProgressReply } from '#contract/applications/progress.ts';
import { letterEndpoints } from '#contract/letters/endpoints.ts';
import { urlOf } from '#web/platform/api/question.ts';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import { type Asked, Loaded } from '#web/ui/loading/not-loaded.tsx';
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
    <Card component="section" aria-label="What happened" padding="md">
      <Stack gap="sm">
        <Title order={2}>What happened</Title>
        <Loaded what="The steps" query={progress} height={160}>
          {(data) => (
            <>
              <Letters tag={tag} letters={data.papers} />
              <Steps progress={data} />
            </>
          )}
        </Loaded>
      </Stack>
    </Card>
  );
}

interface LettersProps {
  readonly tag: string;
  readonly letters: ProgressReply['papers'];
}

function Letters({ tag, letters }: LettersProps) {
  const params = { tag };
  const links = [
    [letters.keyFacts, 'Key facts', urlOf(letterEndpoints.keyFactsLetter, { params })],
    [letters.offerLetter, 'Offer letter', urlOf(letterEndpoints.offerLetter, { params })],
    [letters.evidence, 'Evidence', urlOf(letterEndpoints.evidence, { params })],
  ] as const;
  return (
    <Group gap="md">
      {links.map(([there, label, url]) =>
        there ? (
          <Anchor key={label} href={url} target="_blank" rel="noopener" size="sm" className={classes.letter}>
            <IconFileText size={16} aria-hidden />
            {label} (PDF)
          </Anchor>
        ) : null,
      )}
    </Group>
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
