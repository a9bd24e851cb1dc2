import { keysOf } from '#contract/keys.ts';

/**
 * The states of an application and the steps between them: one table for server and web. A status changes only by one
 * of these steps.
 */

export const statuses = [
  'Draft',
  'Submitted',
  'In Review',
  'Info Requested',
  'Counter-offered',
  'Approved',
  'Declined',
  'Withdrawn',
  'Cancelled',
  'Lapsed',
  'Disbursed',
  'Settled',
] as const;
export type Status = (typeof statuses)[number];

/**
 * Who takes a step. `client`: the application's client. `assignee`: the case's officer. `officer`: any officer. `none`: nobody
 * directly, it follows from a client's action. `system`: Kasente. No officer acts on a business they belong to.
 */
export type StepTaker = 'client' | 'assignee' | 'officer' | 'none' | 'system';

/** What a step does to the SLA clock (contract/applications/sla.ts). */
export type ClockEffect = 'starts' | 'stops' | 'resumes' | 'ends';

interface Step {
  readonly from: readonly Status[];
  readonly to: Status;
  readonly by: StepTaker;
  /** Kasente also takes it, if a statement proves that the money came. */
  readonly orSystem?: true;
  readonly clock?: ClockEffect;
  /** Whether the client gets a message, and sees the step in the timeline. The officers see all of them. */
  readonly tellsClient: boolean;
  /** Tells everybody active in the client's business, not one person. */
  readonly tellsEverybody?: true;
}

const inReview = ['In Review'] as const;
const counterOffered = ['Counter-offered'] as const;

export const steps = {
  submit: {
    from: ['Draft'],
    to: 'Submitted',
    by: 'client',
    clock: 'starts',
    tellsClient: true,
    tellsEverybody: true,
  },
  withdraw: {
    from: ['Submitted', 'In Review', 'Info Requested', 'Approved'],
    to: 'Withdrawn',
    by: 'client',
    clock: 'ends',
    tellsClient: true,
  },
  startReview: { from: ['Submitted'], to: 'In Review', by: 'assignee', tellsClient: true },
  requestInformation: {
    from: inReview,
    to: 'Info Requested',
    by: 'assignee',
    clock: 'stops',
    tellsClient: true,
  },
  answerRequest: {
    from: ['Info Requested'],
    to: 'In Review',
    by: 'client',
    clock: 'resumes',
    tellsClient: true,
  },
  recallRequest: {
    from: ['Info Requested'],
    to: 'In Review',
    by: 'assignee',
    clock: 'resumes',
    tellsClient: true,
  },
  counterOffer: {
    from: inReview,
    to: 'Counter-offered',
    by: 'assignee',
    clock: 'stops',
    tellsClient: true,
    tellsEverybody: true,
  },
  recallOffer: {
    from: counterOffered,
    to: 'In Review',
    by: 'assignee',
    clock: 'resumes',
    tellsClient: true,
    tellsEverybody: true,
  },
  acceptOffer: {
    from: counterOffered,
    to: 'Approved',
    by: 'client',
    clock: 'ends',
    tellsClient: true,
    tellsEverybody: true,
  },
  acceptOfferFirst: {
    from: counterOffered,
    to: 'In Review',
    by: 'none',
    clock: 'resumes',
    tellsClient: true,
    tellsEverybody: true,
  },
  declineOffer: {
    from: counterOffered,
    to: 'Withdrawn',
    by: 'client',
    clock: 'ends',
    tellsClient: true,
  },
  approveFirst: {
    from: inReview,
    to: 'In Review',
    by: 'assignee',
    tellsClient: false,
  },
  approve: {
    from: inReview,
    to: 'Approved',
    by: 'assignee',
    clock: 'ends',
    tellsClient: true,
    tellsEverybody: true,
  },
  sendBack: {
    from: inReview,
    to: 'In Review',
    by: 'officer',
    tellsClient: false,
  },
  voidApproval: {
    from: inReview,
    to: 'In Review',
    by: 'officer',
    tellsClient: false,
  },
  voidFirstApproval: {
    from: ['Info Requested'],
    to: 'Info Requested',
    by: 'none',
    tellsClient: false,
  },
  decline: {
    from: inReview,
    to: 'Declined',
    by: 'assignee',
    clock: 'ends',
    tellsClient: true,
  },
  approveAgain: {
    from: ['Approved'],
    to: 'Approved',
    by: 'officer',
    tellsClient: false,
  },
  cancelApproval: {
    from: ['Approved'],
    to: 'Cancelled',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
  lapse: {
    from: ['Counter-offered', 'Approved'],
    to: 'Lapsed',
    by: 'system',
    clock: 'ends',
    tellsClient: true,
    tellsEverybody: true,
  },
  askExtension: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'client',
    tellsClient: true,
  },
  offerExtension: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    tellsClient: false,
  },
  agreeExtension: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
  withdrawExtension: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    tellsClient: true,
  },
  /** An offer that the client does not know about. */
  dropExtension: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    tellsClient: false,
  },
  acceptExtension: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'client',
    tellsClient: true,
    tellsEverybody: true,
  },
  disburse: {
    from: ['Approved'],
    to: 'Disbursed',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
  reverseDisbursement: {
    from: ['Disbursed'],
    to: 'Approved',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
  disburseRest: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
  disburseRestSettled: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
  reverseRest: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
  reverseRestSettled: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
  receivePart: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    orSystem: true,
    tellsClient: true,
  },
  settle: {
    from: ['Disbursed'],
    to: 'Settled',
    by: 'officer',
    orSystem: true,
    tellsClient: true,
  },
  reversePart: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    tellsClient: true,
  },
  reverseSettlement: {
    from: ['Settled'],
    to: 'Disbursed',
    by: 'officer',
    tellsClient: true,
  },
  receiveMore: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    orSystem: true,
    tellsClient: true,
  },
  reverseMore: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    tellsClient: true,
  },
  paySurplus: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
  reverseSurplus: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    tellsClient: true,
    tellsEverybody: true,
  },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof steps;
export const stepNames = keysOf(steps);

/** Whether the state allows the step. */
export function stepAllowed(name: StepName, from: Status): boolean {
  const allowed: readonly Status[] = steps[name].from;
  return allowed.includes(from);
}

/** The steps that a state allows, in the table's order. */
export function stepsFrom(status: Status): StepName[] {
  return stepNames.filter((name) => stepAllowed(name, status));
}

/** What a state means to the rules around it. A new state does not compile until each trait is set. */
interface Traits {
  /** Waits for a decision: it is in the desk's queue, and its SLA counts. */
  readonly undecided: boolean;
  /** How much of the client's funding limit it uses: the whole advance, its outstanding part, or nothing. */
  readonly uses: 'nothing' | 'advance' | 'outstanding';
  /** Whether it counts in figures of what was applied for. */
  readonly appliedFor: boolean;
  /** Whether its approval is in force, so that there is an offer letter. */
  readonly offered: boolean;
  /** Which documents the client may add or replace: any, the requested ones, or none. */
  readonly uploads: 'any' | 'asked' | 'none';
}

export const statusTraits = {
  Draft: { undecided: false, uses: 'nothing', appliedFor: false, offered: false, uploads: 'any' },
  Submitted: { undecided: true, uses: 'advance', appliedFor: true, offered: false, uploads: 'none' },
  'In Review': { undecided: true, uses: 'advance', appliedFor: true, offered: false, uploads: 'none' },
  'Info Requested': { undecided: true, uses: 'advance', appliedFor: true, offered: false, uploads: 'asked' },
  'Counter-offered': { undecided: true, uses: 'advance', appliedFor: true, offered: false, uploads: 'none' },
  Approved: { undecided: false, uses: 'advance', appliedFor: true, offered: true, uploads: 'none' },
  Declined: { undecided: false, uses: 'nothing', appliedFor: true, offered: false, uploads: 'none' },
  Withdrawn: { undecided: false, uses: 'nothing', appliedFor: false, offered: false, uploads: 'none' },
  Cancelled: { undecided: false, uses: 'nothing', appliedFor: true, offered: false, uploads: 'none' },
  Lapsed: { undecided: false, uses: 'nothing', appliedFor: true, offered: false, uploads: 'none' },
  Disbursed: { undecided: false, uses: 'outstanding', appliedFor: true, offered: true, uploads: 'none' },
  Settled: { undecided: false, uses: 'nothing', appliedFor: true, offered: true, uploads: 'none' },
} as const satisfies Record<Status, Traits>;

function statusesWhere(test: (traits: Traits) => boolean): readonly Status[] {
  return statuses.filter((status) => test(statusTraits[status]));
}

/** The states in which an application waits for a decision. */
export const undecidedStatuses = statusesWhere(({ undecided }) => undecided);
/** The states whose whole advance counts against the limit. */
export const reservingStatuses = statusesWhere(({ uses }) => uses === 'advance');
/** The states that count in figures of what was applied for. */
export const appliedStatuses = statusesWhere(({ appliedFor }) => appliedFor);

/** Whether the client may still change invoice, application and documents: only while it is a draft. */
export function isEditable(status: Status): boolean {
  return status === 'Draft';
}

/** Whether the client may add or replace a document; `wasAskedFor`: an officer asked for this document type. */
export function mayUpload(status: Status, wasAskedFor: boolean): boolean {
  const { uploads } = statusTraits[status];
  return uploads === 'any' || (uploads === 'asked' && wasAskedFor);
}
