import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseReply } from '#contract/desk/schema.ts';
import { ApiFailure } from '#web/platform/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import type { CaseAction } from './case-actions.ts';
import { type CaseAct, findNextCase, useCaseAct } from './desk.api.ts';

/** What was decided with a case, in words: 'was approved'. */
export interface Decided {
  readonly subject: CaseReply;
  readonly what: string;
  /** The case to decide next. */
  readonly next: string | undefined;
}

/** Actions that ask first. */
const asking: readonly CaseAction[] = ['approve', 'requestInformation', 'decline', 'sendBack', 'handOver'];

function decisionOf(act: CaseAct, { needsTwo, firstApprovalBy }: CaseReply): string | undefined {
  if (act.name === 'decline') return 'was declined';
  if (act.name !== 'approve') return undefined;
  return needsTwo && firstApprovalBy === null ? 'has its first approval' : 'was approved';
}

/** Whether the person can still mend it where they are: a field, or a lost network. */
function isMendable({ code, fields }: ApiFailure): boolean {
  return Object.keys(fields).length > 0 || code === 'NETWORK' || code === 'UNAVAILABLE';
}

/**
 * The doing on a case: which dialog is open, what is under way, why the last one was refused. A refusal that nothing in
 * the dialog can mend closes it, because the case is no longer what it was; the case is loaded again either way.
 */
export function useCaseActs(subject: CaseReply, me: string, onDecided: (decided: Decided) => void) {
  const client = useQueryClient();
  const mutation = useCaseAct();
  const [asked, setAsked] = useState<{ action: CaseAction; key: string }>();
  const [refusal, setRefusal] = useState<string>();
  const failure = mutation.error instanceof ApiFailure ? mutation.error : undefined;

  function close(): void {
    setAsked(undefined);
    mutation.reset();
  }

  function act(wanted: CaseAct): void {
    setRefusal(undefined);
    const { tag } = subject;
    const idempotencyKey = asked?.key;
    const options = {
      onSuccess: async () => {
        close();
        const what = decisionOf(wanted, subject);
        if (what === undefined) return;
        const next = await findNextCase(client, me, tag).catch(() => undefined);
        onDecided({ subject, what, next: next?.tag });
      },
      onError: (error: Error) => {
        if (asked !== undefined && error instanceof ApiFailure && isMendable(error)) return;
        close();
        setRefusal(error.message);
      },
    };
    mutation.mutate({ tag, act: wanted, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }, options);
  }

  function begin(action: CaseAction): void {
    if (mutation.isPending) return;
    setRefusal(undefined);
    if (asking.includes(action)) setAsked({ action, key: uniqueKey() });
    else if (isImmediate(action)) act({ name: action });
  }

  return { asked: asked?.action, begin, act, close, failure, refusal, sending: mutation.isPending };
}

function isImmediate(action: CaseAction): action is 'take' | 'release' | 'startReview' | 'recallRequest' {
  return !asking.includes(action);
}
