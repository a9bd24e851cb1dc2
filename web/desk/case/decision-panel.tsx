import { Alert, Card, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { statusTraits } from '#contract/applications/lifecycle.ts';
import type { CaseAction, CaseReply, ClientAct, OfferedAction } from '#contract/desk/schema.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import classes from '#web/desk/desk.module.css';
import type { DeskKey } from '#web/desk/desk-keys.ts';
import { DeskKeys } from '#web/desk/keys-help.tsx';
import { TimeLeft } from '#web/desk/time-left.tsx';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import { handFocusOn } from '#web/ui/focus/hand-focus-on.ts';
import { focusHeading } from '#web/ui/focus/heading-focus.ts';
import { focusMenuButton } from '#web/ui/focus/menu-button-focus.ts';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { sentence } from '#web/ui/text/sentence.ts';
import { actionLabel, mainOf, PLACED_BY_YOU, reasonOf, standingOf } from './case-actions.ts';
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

/** The decision: the clock, the assignee, and the actions on the case. */
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

/** The main action, with the reason if it is refused, and a menu of all others. */
function Actions({ subject, underWay, onBegin }: ActionsProps) {
  const main = mainOf(subject.actions);
  const others = subject.actions.filter((offered) => offered !== main);
  const reason = main && reasonOf(main);
  if (subject.actions.length === 0) return null;
  return (
    <>
      <div className={main === undefined ? classes.menuAlone : classes.mainAction}>
        {main !== undefined && (
          <WaitingButton
            flex={1}
            px="xs"
            fz="sm"
            disabled={reason !== undefined}
            busy={underWay === main.action}
            waits={underWay !== undefined}
            ref={toHeading}
            onClick={() => onBegin(main.action)}
          >
            {actionLabel(main.action, subject)}
          </WaitingButton>
        )}
        {others.length > 0 && (
          <Menu position="bottom-end" returnFocus>
            <Menu.Target>
              <WaitingButton
                variant="default"
                px="sm"
                fz="sm"
                flex={main === undefined ? 1 : undefined}
                rightSection={<IconChevronDown size={16} aria-hidden />}
                busy={underWay !== undefined && underWay !== main?.action}
                waits={underWay !== undefined}
                ref={toHeading}
              >
                More
              </WaitingButton>
            </Menu.Target>
            <Menu.Dropdown>
              {others.map((offered) => (
                <OtherAction key={offered.action} offered={offered} subject={subject} onBegin={onBegin} />
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {reason !== undefined && (
        <Text size="sm" c="dimmed">
          {reason}.
        </Text>
      )}
    </>
  );
}

interface OtherActionProps extends Pick<ActionsProps, 'subject' | 'onBegin'> {
  readonly offered: OfferedAction;
}

function OtherAction({ offered, subject, onBegin }: OtherActionProps) {
  const { action } = offered;
  const reason = reasonOf(offered);
  return (
    // Not `disabled`, which the arrow keys skip: the reason is to be read.
    <Menu.Item
      aria-disabled={reason !== undefined || undefined}
      closeMenuOnClick={reason === undefined}
      c={reason === undefined ? undefined : 'dimmed'}
      color={action === 'decline' ? 'red' : undefined}
      onClick={(event) => {
        if (reason !== undefined) return;
        focusMenuButton(event);
        onBegin(action);
      }}
    >
      {actionLabel(action, subject)}
      {reason !== undefined && <Text size="xs">{reason}.</Text>}
    </Menu.Item>
  );
}
