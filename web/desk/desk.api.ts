import {
  type Mutation,
  type QueryClient,
  type UseMutationOptions,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import type { requestBody } from '#contract/applications/progress.ts';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import {
  type ApproveBody,
  type CancelApprovalBody,
  type DeclineBody,
  type DeskJob,
  jobOf,
  type QueueRow,
  type QueueView,
  type SendBackBody,
} from '#contract/desk/schema.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { offerEndpoints } from '#contract/offers/endpoints.ts';
import type { counterOfferBody } from '#contract/offers/schema.ts';
import { callApi, callWith } from '#web/platform/api/api.ts';
import { live, queryCall } from '#web/platform/api/query-client.ts';
import { keyOf } from '#web/platform/api/query-key.ts';
import { invalidate, queryOf, useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

export interface QueueAsked {
  readonly view: QueueView;
  readonly page: number;
  readonly searchPhrase: string;
}

/** Rows and when they were read, in milliseconds since 1970. The two stay together while another search loads. */
interface QueuePage {
  readonly job: DeskJob;
  readonly rows: readonly QueueRow[];
  readonly readAt: number;
}

/** A page of a queue. */
export function useQueue(asked: QueueAsked) {
  const job = jobOf(asked.view);
  return useQuery<QueuePage>({
    queryKey: keyOf(deskEndpoints.deskQueue, { body: asked }),
    queryFn: async (context) => {
      const rows = await callApi(deskEndpoints.deskQueue, asked, queryCall(context));
      return { job, rows, readAt: Date.now() };
    },
    // Another job has other columns, which the previous rows cannot fill.
    placeholderData: (page) => (page?.job === job ? page : undefined),
    ...live,
  });
}

/** The number of cases in each view. */
export function useDeskCounts() {
  return useCall(deskEndpoints.deskCounts, live);
}

/**
 * An officer's action on a case, with its input. Taking a case that is only submitted also starts its review, in the
 * same call.
 */
export type CaseAct =
  | { readonly name: 'take'; readonly startsReview: boolean }
  | { readonly name: 'release' | 'startReview' | 'recallRequest' | 'recallOffer' }
  | { readonly name: 'counterOffer'; readonly body: z.input<typeof counterOfferBody> }
  | { readonly name: 'approve'; readonly body: NonNullable<ApproveBody> }
  | { readonly name: 'handOver'; readonly body: { readonly officerTag: string } }
  | { readonly name: 'requestInformation'; readonly body: z.input<typeof requestBody> }
  | { readonly name: 'sendBack'; readonly body: SendBackBody }
  | { readonly name: 'cancelApproval'; readonly body: CancelApprovalBody }
  | { readonly name: 'decline'; readonly body: DeclineBody };

const calls: Readonly<Record<Exclude<CaseAct['name'], 'take'>, Endpoint>> = {
  release: deskEndpoints.releaseCase,
  startReview: deskEndpoints.startReview,
  recallRequest: deskEndpoints.recallRequest,
  counterOffer: offerEndpoints.counterOffer,
  recallOffer: offerEndpoints.recallOffer,
  approve: deskEndpoints.approve,
  handOver: deskEndpoints.handOverCase,
  requestInformation: deskEndpoints.requestInformation,
  sendBack: deskEndpoints.sendBack,
  cancelApproval: deskEndpoints.cancelApproval,
  decline: deskEndpoints.decline,
};

function callOf(act: CaseAct): Endpoint {
  if (act.name !== 'take') return calls[act.name];
  return act.startsReview ? deskEndpoints.startReview : deskEndpoints.takeCase;
}

/** An action on a case. */
interface Doing {
  readonly tag: string;
  /** The case's name, for when there are several. */
  readonly caseName: string;
  readonly act: CaseAct;
  readonly idempotencyKey?: string;
}

type Outcomes = Pick<UseMutationOptions<unknown, Error, Doing>, 'onSuccess' | 'onError'>;

const actKey = ['desk', 'act'] as const;
/** Endpoints whose replies show cases on the desk. */
const showingCases = [deskEndpoints.loadCase, deskEndpoints.deskQueue, deskEndpoints.deskCounts];

/**
 * Performs an action on a case. It finishes when queue and case have been reloaded, so that the next step starts from
 * their new state. A refusal finishes at once, because the connection may be too bad to load anything. Other queries
 * that show cases reload too, but nobody waits for them. `outcomes` hear at once how each of several actions ended,
 * even if their screen was left.
 */
export function useCaseAct(outcomes: Outcomes) {
  const client = useQueryClient();
  return useMutation<unknown, Error, Doing>({
    mutationKey: actKey,
    mutationFn: ({ tag, act, idempotencyKey }) =>
      callWith(callOf(act), 'body' in act ? act.body : undefined, {
        params: { tag },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }),
    ...outcomes,
    onSettled: (_, error) => {
      const awaited = showingCases.map((endpoint) => keyOf(endpoint)[0]);
      void client.invalidateQueries({ predicate: ({ queryKey: [name] }) => !awaited.some((each) => each === name) });
      const loaded = invalidate(client, showingCases);
      return error === null ? loaded : undefined;
    },
  });
}

/** Acknowledges possible duplicates of a case; finished when the case has been reloaded. */
export function useAcknowledge(tag: string) {
  return useSend(deskEndpoints.acknowledgeFlags, { tag }, showingCases);
}

/** The actions on cases that are under way. */
export function useUnderWay(): readonly Doing[] {
  const doings = useMutationState({
    filters: { mutationKey: actKey, status: 'pending' },
    select: ({ state }: Mutation<unknown, Error, Doing>) => state.variables,
  });
  return doings.filter((doing) => doing !== undefined);
}

/** How many of the most urgent cases are searched for the next one. An officer who needs more uses the queue. */
const LOOKED_AT = 100;

/**
 * The next case to decide: the most urgent one that is unassigned or the officer's own and waits for no answer and no
 * other officer. Undefined if there is none.
 */
export async function findNextCase(client: QueryClient, me: string, decided: string): Promise<QueueRow | undefined> {
  const asked = { view: 'undecided', page: 1, size: LOOKED_AT } as const;
  const rows = await client.fetchQuery({
    ...queryOf(deskEndpoints.deskQueue, { body: asked }),
    staleTime: 0,
  });
  return rows.find((row) => row.tag !== decided && isOpenTo(me, row));
}

/** What taking a case does, depending on its status. */
export function takingOf({ status }: Pick<QueueRow, 'status'>): CaseAct & { readonly name: 'take' } {
  return { name: 'take', startsReview: status === 'Submitted' };
}

/** Whether an officer could decide it now. */
export function isOpenTo(
  me: string,
  { status, holder, firstApprovalBy }: Pick<QueueRow, 'status' | 'holder' | 'firstApprovalBy'>,
): boolean {
  const waitsForClient = status === 'Info Requested' || status === 'Counter-offered';
  return !waitsForClient && (holder === null || holder.tag === me) && firstApprovalBy?.tag !== me;
}
