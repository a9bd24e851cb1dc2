import { Button, Card, Text, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { declineReasons } from '#contract/applications/decline-reasons.ts';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { ProgressReply } from '#contract/applications/progress.ts';
import { latestClientStep, trackOf } from '#contract/applications/track.ts';
import { Payee } from '#web/applications/payout-account/payee.tsx';
import { PayNow } from '#web/applications/requests-to-pay/pay-now.tsx';
import { PayNowPlace } from '#web/applications/requests-to-pay/pay-now-place.tsx';
import screen from '#web/applications/screen/application-screen.module.css';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { AnswerForm } from './answer-form.tsx';
import { DecisionDue, PausedDecision } from './decision-due.tsx';
import { Offer } from './offer.tsx';
import classes from './progress.module.css';
import { Repayment } from './repayment.tsx';
import { Statement } from './statement.tsx';
import { ProgressTrack } from './track.tsx';

/** The application that the panel is about. */
interface Subject {
  readonly tag: string;
  readonly invoiceNumber: string;
  readonly userTag: string;
  readonly currency: string;
  /** The amount that the client receives, with its currency. */
  readonly received: string;
}

interface ProgressPanelProps extends Subject {
  readonly progress: UseQueryResult<ProgressReply>;
  readonly onUpload: (typeId: number) => void;
  /** Called when the client took a step: moves the focus to the heading. */
  readonly onStep: () => void;
}

/** For the client, above the record: how far the application is, who acts next, and what the client can do. */
export function ProgressPanel({ progress, ...props }: ProgressPanelProps) {
  const { data } = progress;
  return (
    <Card component="section" aria-label="What happens now" className={screen.notice} padding="lg">
      {data !== undefined && <Announcement status={data.status} />}
      <Loaded what="The progress" query={progress} height={140}>
        {(data) => <State {...props} progress={data} readAt={progress.dataUpdatedAt} />}
      </Loaded>
    </Card>
  );
}

/** Announces to screen readers a status change that came by itself. */
function Announcement({ status }: { readonly status: Status }) {
  const [first] = useState(status);
  const [changed, setChanged] = useState(false);
  if (!changed && status !== first) setChanged(true);
  return <VisuallyHidden role="status">{changed ? `The application is now: ${status}` : ''}</VisuallyHidden>;
}

type NowProps = Omit<ProgressPanelProps, 'progress'> & {
  readonly progress: ProgressReply;
  readonly readAt: number;
};

function State(props: NowProps) {
  const { status, steps } = props.progress;
  const track = trackOf(status, steps);
  return (
    <div className={classes.panel}>
      {track !== undefined && <ProgressTrack track={track} />}
      <PayNowPlace>
        <Now {...props} />
      </PayNowPlace>
    </div>
  );
}

function Now(props: NowProps) {
  const { progress, tag, invoiceNumber, currency, received, onStep } = props;
  switch (progress.status) {
    case 'Draft':
      return null;
    case 'Submitted':
    case 'In Review':
      return (
        <>
          <Deciding {...props} />
          <Payee tag={tag} />
        </>
      );
    case 'Info Requested':
      return (
        <>
          <Asked {...props} />
          <Payee tag={tag} />
        </>
      );
    case 'Counter-offered':
      return <Offer tag={tag} invoiceNumber={invoiceNumber} onStep={onStep} />;
    case 'Approved':
      return (
        <>
          <p className={classes.headline}>Approved: {received} to you</p>
          <Payee tag={tag} />
          <Statement tag={tag} status={progress.status} currency={currency} />
        </>
      );
    case 'Declined':
      return <Declined progress={progress} />;
    case 'Withdrawn':
      return (
        <>
          <p className={classes.headline}>You withdrew this application</p>
          <Again>You can apply again, also for the same invoice.</Again>
        </>
      );
    case 'Cancelled':
      return (
        <>
          <p className={classes.headline}>We cancelled our approval</p>
          <Text>{progress.steps.find(({ step }) => step === 'cancelApproval')?.note}</Text>
          <Again>You can apply again, also for the same invoice.</Again>
        </>
      );
    case 'Lapsed':
      return (
        <>
          <p className={classes.headline}>This application has lapsed</p>
          <Again>It was not accepted or paid out in time. You can apply again, also for the same invoice.</Again>
        </>
      );
    case 'Disbursed':
      return (
        <Statement
          tag={tag}
          status={progress.status}
          currency={currency}
          howToPay={<Repayment tag={tag} />}
          extra={<Payee tag={tag} />}
        />
      );
    case 'Settled':
      return (
        <>
          <p className={classes.headline}>Fully paid back</p>
          <PayNow tag={tag} />
          <Statement tag={tag} status={progress.status} currency={currency} extra={<Payee tag={tag} />} />
        </>
      );
  }
}

/** What the client gets, and by when we decide; first an answer to what they did last. */
function Deciding({ progress: { steps, clock }, readAt, received }: NowProps) {
  const latest = latestClientStep(steps)?.step;
  const money = <span className={classes.money}>{received}</span>;
  return (
    <>
      <p className={classes.headline}>
        {latest === 'acceptOfferFirst' ? <>You accepted {money}</> : <>{money} to you</>}
      </p>
      {latest === 'answerRequest' && <Text fw={600}>We have your answer.</Text>}
      <DecisionDue
        clock={clock}
        readAt={readAt}
        who={latest === 'acceptOfferFirst' ? 'A second officer confirms' : "We'll decide"}
      />
    </>
  );
}

/** The request comes first, then the form to answer it. */
function Asked({ progress, readAt, tag, userTag, onUpload, onStep }: NowProps) {
  const [request] = progress.requests;
  return (
    <>
      <p className={classes.headline}>We need something from you</p>
      {request !== undefined && progress.mayTake.includes('answerRequest') && (
        <AnswerForm
          key={request.tag}
          tag={tag}
          userTag={userTag}
          request={request}
          onUpload={onUpload}
          onAnswered={onStep}
        />
      )}
      <PausedDecision clock={progress.clock} readAt={readAt} />
    </>
  );
}

function Declined({ progress: { declined } }: { readonly progress: ProgressReply }) {
  return (
    <>
      <p className={classes.headline}>Declined</p>
      {declined !== null && (
        <>
          <Text fw={600}>{declineReasons[declined.reason]}.</Text>
          <blockquote className={classes.quote}>{declined.note}</blockquote>
        </>
      )}
      <Again>Fix this and you can apply again, also for the same invoice.</Again>
    </>
  );
}

/** The next step once this application has ended. */
function Again({ children }: { readonly children: string }) {
  return (
    <>
      <Text>{children}</Text>
      <div>
        <Button component={Link} to={paths.startApplication}>
          New Application
        </Button>
      </div>
    </>
  );
}
