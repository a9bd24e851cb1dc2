import { deskEndpoints } from '#contract/desk/endpoints.ts';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import { notices, notify } from '#web/notices.ts';
import { callApi } from '#web/platform/api/api.ts';
import { useChange, useSend } from '#web/platform/api/use-change.ts';

/** Endpoints whose replies show limits. */
const showing = [
  limitEndpoints.ownLimits,
  limitEndpoints.businessLimits,
  limitEndpoints.limitProposals,
  limitEndpoints.earnedRaises,
  deskEndpoints.loadCase,
];

interface ProposalReply {
  readonly tag: string;
  readonly answer: 'confirm' | 'decline';
  /** The notice after the action. */
  readonly done: string;
}

/**
 * Confirms or declines a proposed limit; reloads everything that shows limits. Shows the notice itself, because the
 * pressed button is gone by then.
 */
export function useAnswerProposal() {
  return useChange(async ({ tag, answer, done }: ProposalReply) => {
    const call = answer === 'confirm' ? limitEndpoints.confirmLimit : limitEndpoints.declineLimit;
    await callApi(call, undefined, { params: { tag }, idempotencyKey: `${answer}-${tag}` });
    notify(notices.limitSet(done));
  }, showing);
}

/** Sets a client's limit in a currency; everything that shows limits reloads. */
export function useSetLimit(tag: string) {
  return useSend(limitEndpoints.setLimit, { tag }, showing);
}
