import { useState } from 'react';
import { type CaseAction, type CaseReply, caseRefusals } from '#contract/desk/schema.ts';
import { type CaseAct, takingOf, useCaseAct, useUnderWay } from '#web/desk/desk.api.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { useIsStillHere } from '#web/platform/router/router.tsx';
import { uniqueKey } from '#web/platform/unique-key.ts';
import type { Sender } from '#web/ui/forms/action-dialog.tsx';
import { asksFirst } from './case-dialogs.tsx';

/** The decision on a case in words: 'was approved'. */
export interface Decided {
  readonly subject: CaseReply;
  readonly what: string;
}

/** Why an action failed, and when that was known, in milliseconds since 1970. */
interface Refusal {
  readonly said: string;
  readonly at: number;
}

/**
 * Failures that mean the case has changed since its dialog was opened. After any other failure the dialog can be sent
 * again.
 */
const outOfDate: readonly ApiFailure['code'][] = [
  'NOT_FOUND',
  'OWN_BUSINESS',
  'STEP_NOT_ALLOWED',
  'CASE_TAKEN',
  'CASE_NOT_TAKEN',
  'SECOND_OFFICER',
  ...caseRefusals,
  'FLAG_OPEN',
];

function decisionOf(act: CaseAct): string | undefined {
  if (act.name === 'decline') return 'was declined';
  if (act.name === 'cancelApproval') return 'is no longer approved';
  if (act.name !== 'approve') return undefined;
  return act.body.step === 'approveFirst' ? 'has its first approval' : 'was approved';
}

/**
 * State of the actions on a case: the open dialog, the action under way, and why the last one was refused. A refusal
 * that nothing in the dialog can correct closes it, because the case has changed; the case is reloaded either way.
 */
export function useCaseActs(subject: CaseReply, onDecided: (decided: Decided) => void) {
  const { tag } = subject;
  const caseName = `${subject.client}, invoice ${subject.invoiceNumber}`;
  const [asked, setAsked] = useState<{ action: CaseAction; key: string }>();
  const [refusal, setRefusal] = useState<Refusal>();
  const isStillHere = useIsStillHere();
  const underWay = useUnderWay().find((doing) => doing.tag === tag)?.act.name;
  const mutation = useCaseAct({
    onSuccess: (_, { act: done }) => {
      setAsked(undefined);
      const what = decisionOf(done);
      if (what !== undefined) onDecided({ subject, what });
    },
    onError: (error) => {
      if (!isStillHere()) notify(notices.actionFailed(`${caseName}: ${error.message}`));
      if (asked !== undefined && error instanceof ApiFailure && !outOfDate.includes(error.code)) return;
      setAsked(undefined);
      setRefusal({ said: error.message, at: Date.now() });
    },
  });

  function act(wanted: CaseAct, outcomes = {}): void {
    setRefusal(undefined);
    const key = asked === undefined ? {} : { idempotencyKey: asked.key };
    mutation.mutate({ tag, caseName, act: wanted, ...key }, outcomes);
  }

  function begin(action: CaseAction): void {
    if (underWay !== undefined) return;
    setRefusal(undefined);
    if (asksFirst(action)) setAsked({ action, key: uniqueKey() });
    else if (action === 'take') act(takingOf(subject));
    else if (isImmediate(action)) act({ name: action });
  }

  const sender: Sender<CaseAct, unknown> = { mutate: act, isPending: underWay !== undefined };
  return { asked: asked?.action, begin, sender, close: () => setAsked(undefined), refusal, underWay };
}

function isImmediate(action: CaseAction): action is 'release' | 'startReview' | 'recallRequest' | 'recallOffer' {
  return action !== 'take' && !asksFirst(action);
}
