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

/** Rows, and when they were read, in milliseconds since 1970: they stay together while those of another search are on their way. */
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
    // Another job has other columns, which the previous rows do not fill.
    placeholderData: (page) => (page?.job === job ? page : undefined),
    ...live,
  });
}

/** How many cases each view has. */
export function useDeskCounts() {
  return useCall(deskEndpoints.deskCounts, live);
}

/** Everything to decide a case on. */
export function useCase(tag: string) {
  return useCall(deskEndpoints.loadCase, { params: { tag }, ...live });
}

/** The officers a case can be handed to. */
export const officersQuery = queryOf(deskEndpoints.deskOfficers);

/**
 * What an officer does with a case, with what it needs. Who takes a case that was only submitted starts its review by the
 * same call.
 */
export type CaseAct =
  | { readonly name: 'take'; readonly startsReview: boolean }
  | { readonly name: 'release' | 'startReview' | 'recallRequest' | 'recallOffer' }
  | { readonly name: 'counterOffer'; readonly body: z.input<typeof counterOfferBody> }
  | { readonly name: 'approve'; readonly isFirstOfTwo: boolean }
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

/** Something that is done with a case. */
interface Doing {
  readonly tag: string;
  /** The case's name where there are several. */
  readonly caseName: string;
  readonly act: CaseAct;
  readonly idempotencyKey?: string;
}

type Outcomes = Pick<UseMutationOptions<unknown, Error, Doing>, 'onSuccess' | 'onError'>;

const actKey = ['desk', 'act'] as const;
/** Endpoints whose replies show cases on the desk. */
const showingCases = [deskEndpoints.loadCase, deskEndpoints.deskQueue, deskEndpoints.deskCounts];

/**
 * Does something with a case. It is over when queue and case have been loaded again, so that the next step is one of what
 * they are then; a refusal is over at once, for the line may be too bad to load anything. Whatever else shows them is
 * loaded again too, but nobody waits for it. `outcomes` hear at once how each of several ended, even if their screen is
 * left.
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

/** Answers for possible duplicates of a case; over when the case has been loaded again. */
export function useAcknowledge(tag: string) {
  return useSend(deskEndpoints.acknowledgeFlags, { tag }, showingCases);
}

/** What is being done with cases now. */
export function useUnderWay(): readonly Doing[] {
  const doings = useMutationState({
    filters: { mutationKey: actKey, status: 'pending' },
    select: ({ state }: Mutation<unknown, Error, Doing>) => state.variables,
  });
  return doings.filter((doing) => doing !== undefined);
}

/** As many of the most urgent ones are looked at for the next case; who works through more asks the queue. */
const LOOKED_AT = 100;

/**
 * The case to decide next: the most urgent one that nobody, or the officer themselves, has and that waits for no
 * answer and no other officer. Undefined where there is none.
 */
export async function findNextCase(client: QueryClient, me: string, decided: string): Promise<QueueRow | undefined> {
  const asked = { view: 'undecided', page: 1, size: LOOKED_AT } as const;
  const rows = await client.fetchQuery({
    ...queryOf(deskEndpoints.deskQueue, { body: asked }),
    staleTime: 0,
  });
  return rows.find((row) => row.tag !== decided && isOpenTo(me, row));
}

/** What taking a case does, by where it stands. */
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
