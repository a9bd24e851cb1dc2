import { Alert, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { statusTraits } from '#contract/applications/lifecycle.ts';
import type { CaseAction, CaseReply, ClientAct } from '#contract/desk/schema.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import classes from '#web/desk/desk.module.css';
import type { DeskKey } from '#web/desk/desk-keys.ts';
import { DeskKeys } from '#web/desk/keys-help.tsx';
import { TimeLeft } from '#web/desk/time-left.tsx';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import { handFocusOn } from '#web/ui/focus/hand-focus-on.ts';
import { focusHeading } from '#web/ui/focus/heading-focus.ts';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { sentence } from '#web/ui/text/sentence.ts';
import { actionLabel, PLACED_BY_YOU, primaryOf, reasonOf, standingOf } from './case-actions.ts';
import { CaseDialog } from './case-dialogs.tsx';
import type { DialogProps, ReadCase } from './dialog-props.ts';
import { type Decided, useCaseActs } from './use-case-acts.ts';

interface DecisionPanelProps extends ReadCase, Pick<DialogProps, 'documentTypes'> {
  readonly user: SessionUser;
  /** The keys of the document viewer beside it. */
  readonly documentKeys: readonly DeskKey[];
  readonly onDecided: (decided: Decided) => void;
}

/** The actions that have a shortcut. */
const actionKeys = [
  { action: 'take', key: 't', what: 'Take the case' },
  { action: 'startReview', key: 's', what: 'Start the review' },
  { action: 'requestInformation', key: 'i', what: 'Request information' },
  { action: 'approve', key: 'a', what: 'Approve' },
  { action: 'decline', key: 'd', what: 'Decline' },
] as const satisfies readonly { readonly action: CaseAction; readonly key: string; readonly what: string }[];

/** The decision: the clock, the assignee, and the actions on the case, with the next step filled. */
export function DecisionPanel({ subject, readAt, user, documentTypes, documentKeys, onDecided }: DecisionPanelProps) {
  const acts = useCaseActs(subject, onDecided);
  const { actions } = subject;
  const standing = standingOf(subject, user.tag);
  const usable = (action: CaseAction) =>
    actions.some((offered) => offered.action === action && reasonOf(offered) === undefined);
  const decides = actions.some(({ action }) => actionKeys.some((own) => own.action === action));
  const ownKeys = actionKeys.map(({ action, key, what }) => {
    const act = () => usable(action) && acts.begin(action);
    return { key, what, act };
  });
  const keys = [...(decides ? ownKeys : []), ...documentKeys];
  return (
    <Card component="section" aria-label="Decision" padding="md">
      <Stack gap="sm">
        <ClockLine subject={subject} readAt={readAt} />
        {subject.clientAct !== null && <LatestClientAct act={subject.clientAct} readAt={readAt} />}
        {statusTraits[subject.status].undecided && <WithWhom subject={subject} me={user.tag} />}
        {acts.refusal !== undefined && (
          <Alert color="red" variant="light" role="alert" title="Not done" p="xs">
            {sentence(acts.refusal.said)}
            {readAt > acts.refusal.at && ' This is how the case stands now.'}
          </Alert>
        )}
        {standing !== undefined && <Text size="sm">{standing}</Text>}
        <Actions subject={subject} underWay={acts.underWay} onBegin={acts.begin} />
        <DeskKeys summary={decides ? 'a approve, d decline, i ask, ? help' : 'n next document, ? help'} keys={keys} />
      </Stack>
      {acts.asked !== undefined && (
        <CaseDialog
          subject={subject}
          readAt={readAt}
          documentTypes={documentTypes}
          action={acts.asked}
          onClose={acts.close}
          sender={acts.sender}
        />
      )}
    </Card>
  );
}

/** What the client did since an officer last acted; the submission itself goes without saying. */
const clientActs: Partial<Record<ClientAct['step'], string>> = {
  answerRequest: 'Answered',
  acceptOffer: 'Accepted our offer',
  acceptOfferFirst: 'Accepted our offer',
  declineOffer: 'Declined our offer',
  withdraw: 'Withdrawn',
  askExtension: 'Asked for more time',
  acceptExtension: 'Accepted more time',
};

interface LatestClientActProps {
  readonly act: ClientAct;
  readonly readAt: number;
}

function LatestClientAct({ act: { step, at, documents, answer }, readAt }: LatestClientActProps) {
  const name = clientActs[step];
  if (name === undefined) return null;
  const came = documents.map(({ type, isReplacement }) => `${type} ${isReplacement ? 'replaced' : 'uploaded'}`);
  const what = came.length > 0 ? came.join(', ') : answer;
  return (
    <Text size="sm" fw={600} lineClamp={3}>
      {name} {sayMoment(new Date(at), new Date(readAt))}
      {what !== null && `: ${what}`}
    </Text>
  );
}

function ClockLine({ subject: { clock, status }, readAt }: ReadCase) {
  return (
    <Group justify="space-between" align="baseline" gap="xs">
      <Title order={2}>Decision</Title>
      <div className={classes.clock}>
        {status !== 'Withdrawn' && (
          <span className={classes.clockTime} data-over={clock.state === 'ended' || undefined}>
            <TimeLeft clock={clock} readAt={readAt} />
          </span>
        )}
        {clock.decideBy !== null && clock.state === 'running' && (
          <Text size="xs" c="dimmed">
            by {formatFullDate(clock.decideBy)}
          </Text>
        )}
      </div>
    </Group>
  );
}

function WithWhom({ subject, me }: { readonly subject: CaseReply; readonly me: string }) {
  const { holder, firstApprovalBy, firstApprovalVoided, placedByYou } = subject;
  return (
    <Text size="sm" component="div" role="status">
      {holder === null ? <b>Unassigned</b> : <>Assigned to {holder.tag === me ? <b>you</b> : <b>{holder.name}</b>}</>}
      {firstApprovalBy !== null && (
        <div>First approval by {firstApprovalBy.tag === me ? 'you' : firstApprovalBy.name}</div>
      )}
      {firstApprovalVoided && (
        <div>A document was replaced, so the first approval no longer counts. It is needed again.</div>
      )}
      {placedByYou && <div>{PLACED_BY_YOU}</div>}
    </Text>
  );
}

interface ActionsProps {
  readonly subject: CaseReply;
  /** The action being sent. */
  readonly underWay: CaseAction | undefined;
  readonly onBegin: (action: CaseAction) => void;
}

/** Moves the focus from a button that disappears with its action to the heading of its card. */
const toHeading = handFocusOn('section', focusHeading);

/**
 * The buttons, the next step first; below them, why others are disabled. The next step is always the same button, so
 * that an officer who takes the case by keyboard lands on 'Start Review'.
 */
function Actions({ subject, underWay, onBegin }: ActionsProps) {
  if (subject.actions.length === 0) return null;
  const primary = primaryOf(subject.actions);
  const others = subject.actions
    .filter(({ action }) => action !== primary)
    .map((offered) => ({ action: offered.action, reason: reasonOf(offered) }));
  const reasons = [...new Set(others.flatMap(({ reason }) => (reason === undefined ? [] : [reason])))];
  return (
    <>
      {primary !== undefined && (
        <WaitingButton
          fullWidth
          busy={underWay === primary}
          waits={underWay !== undefined}
          ref={toHeading}
          onClick={() => onBegin(primary)}
        >
          {actionLabel(primary, subject)}
        </WaitingButton>
      )}
      <div className={classes.actions}>
        {others.map(({ action, reason }) => (
          <WaitingButton
            key={action}
            variant="default"
            size="sm"
            px="xs"
            disabled={reason !== undefined}
            busy={underWay === action}
            waits={underWay !== undefined}
            ref={toHeading}
            onClick={() => onBegin(action)}
            {...(action === 'decline' && reason === undefined ? { c: 'var(--mantine-color-error)' } : {})}
          >
            {actionLabel(action, subject)}
          </WaitingButton>
        ))}
      </div>
      {reasons.map((reason) => (
        <Text key={reason} size="sm" c="dimmed">
          {reason}.
        </Text>
      ))}
    </>
  );
}
