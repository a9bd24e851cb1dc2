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
 * Who takes a step. `client`: the application's client. `assignee`: the case's officer; an officer who takes the step on
 * an unassigned case becomes its assignee. `officer`: any officer. `none`: nobody takes it directly; it follows from a
 * client's action. `system`: Kasente. No officer acts on a business they belong to.
 */
export type StepTaker = 'client' | 'assignee' | 'officer' | 'none' | 'system';

/** What a step does to the SLA clock (contract/applications/sla.ts). */
export type ClockEffect = 'starts' | 'stops' | 'resumes' | 'ends';

interface Step {
  readonly from: readonly Status[];
  /** `same`: the step keeps the state. */
  readonly to: Status | 'same';
  readonly by: StepTaker;
  /**
   * Kasente also takes the step, if a statement proves that the money came, or if the outstanding rest is too small to
   * pay.
   */
  readonly orSystem?: true;
  readonly clock?: ClockEffect;
  /**
   * Who gets a message: nobody, one person in the client's business, or every active person in it. A step that sends the
   * client a message also shows in the client's timeline; officers see every step.
   */
  readonly tells: 'nobody' | 'client' | 'everybody';
}

const inReview = ['In Review'] as const;
/** A decision needs no review before it: an officer may decide a case at first sight. */
const open = ['Submitted', 'In Review'] as const;
const counterOffered = ['Counter-offered'] as const;

export const steps = {
  submit: { from: ['Draft'], to: 'Submitted', by: 'client', clock: 'starts', tells: 'everybody' },
  withdraw: {
    from: ['Submitted', 'In Review', 'Info Requested', 'Approved'],
    to: 'Withdrawn',
    by: 'client',
    clock: 'ends',
    tells: 'client',
  },
  startReview: { from: ['Submitted'], to: 'In Review', by: 'assignee', tells: 'client' },
  requestInformation: { from: open, to: 'Info Requested', by: 'assignee', clock: 'stops', tells: 'client' },
  answerRequest: { from: ['Info Requested'], to: 'In Review', by: 'client', clock: 'resumes', tells: 'client' },
  recallRequest: { from: ['Info Requested'], to: 'In Review', by: 'assignee', clock: 'resumes', tells: 'client' },
  counterOffer: { from: open, to: 'Counter-offered', by: 'assignee', clock: 'stops', tells: 'everybody' },
  recallOffer: { from: counterOffered, to: 'In Review', by: 'assignee', clock: 'resumes', tells: 'everybody' },
  acceptOffer: { from: counterOffered, to: 'Approved', by: 'client', clock: 'ends', tells: 'everybody' },
  acceptOfferFirst: { from: counterOffered, to: 'In Review', by: 'none', clock: 'resumes', tells: 'everybody' },
  declineOffer: { from: counterOffered, to: 'Withdrawn', by: 'client', clock: 'ends', tells: 'client' },
  approveFirst: { from: open, to: 'In Review', by: 'assignee', tells: 'nobody' },
  approve: { from: open, to: 'Approved', by: 'assignee', clock: 'ends', tells: 'everybody' },
  sendBack: { from: inReview, to: 'In Review', by: 'officer', tells: 'nobody' },
  voidApproval: { from: inReview, to: 'In Review', by: 'assignee', tells: 'nobody' },
  voidFirstApproval: { from: ['Info Requested'], to: 'Info Requested', by: 'none', tells: 'nobody' },
  decline: { from: open, to: 'Declined', by: 'assignee', clock: 'ends', tells: 'client' },
  approveAgain: { from: ['Approved'], to: 'Approved', by: 'officer', tells: 'nobody' },
  cancelApproval: { from: ['Approved'], to: 'Cancelled', by: 'officer', tells: 'everybody' },
  lapse: { from: ['Counter-offered', 'Approved'], to: 'Lapsed', by: 'system', clock: 'ends', tells: 'everybody' },
  askExtension: { from: ['Disbursed'], to: 'Disbursed', by: 'client', tells: 'client' },
  offerExtension: { from: ['Disbursed'], to: 'Disbursed', by: 'officer', tells: 'nobody' },
  agreeExtension: { from: ['Disbursed'], to: 'Disbursed', by: 'officer', tells: 'everybody' },
  withdrawExtension: { from: ['Disbursed'], to: 'Disbursed', by: 'officer', tells: 'client' },
  /** The client doesn't know about this offer. */
  dropExtension: { from: ['Disbursed'], to: 'Disbursed', by: 'officer', tells: 'nobody' },
  acceptExtension: { from: ['Disbursed'], to: 'Disbursed', by: 'client', tells: 'everybody' },
  disburse: { from: ['Approved'], to: 'Disbursed', by: 'officer', tells: 'everybody' },
  reverseDisbursement: { from: ['Disbursed'], to: 'Approved', by: 'officer', tells: 'everybody' },
  disburseRest: { from: ['Disbursed', 'Settled'], to: 'same', by: 'officer', tells: 'everybody' },
  reverseRest: { from: ['Disbursed', 'Settled'], to: 'same', by: 'officer', tells: 'everybody' },
  receivePart: { from: ['Disbursed'], to: 'Disbursed', by: 'officer', orSystem: true, tells: 'client' },
  settle: { from: ['Disbursed'], to: 'Settled', by: 'officer', orSystem: true, tells: 'client' },
  reversePart: { from: ['Disbursed'], to: 'Disbursed', by: 'officer', tells: 'client' },
  reverseSettlement: { from: ['Settled'], to: 'Disbursed', by: 'officer', tells: 'client' },
  receiveMore: { from: ['Settled'], to: 'Settled', by: 'officer', orSystem: true, tells: 'client' },
  reverseMore: { from: ['Settled'], to: 'Settled', by: 'officer', tells: 'client' },
  paySurplus: { from: ['Settled'], to: 'Settled', by: 'officer', tells: 'everybody' },
  reverseSurplus: { from: ['Settled'], to: 'Settled', by: 'officer', tells: 'everybody' },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof steps;
export const stepNames = keysOf(steps);

/** Whether the state allows the step. */
export function stepAllowed(name: StepName, from: Status): boolean {
  const allowed: readonly Status[] = steps[name].from;
  return allowed.includes(from);
}

/** The state after a step from a state that allows it. */
export function statusAfter(name: StepName, from: Status): Status {
  const { to } = steps[name];
  return to === 'same' ? from : to;
}

/** Step names in records of earlier releases, and their current names. */
const formerNames = {
  disburseRestSettled: 'disburseRest',
  reverseRestSettled: 'reverseRest',
} as const satisfies Record<string, StepName>;

type FormerName = keyof typeof formerNames;

function isFormerName(name: string): name is FormerName {
  return Object.hasOwn(formerNames, name);
}

/** A step as the timeline or the audit log names it. */
export type RecordedStep = StepName | FormerName;

/** Whether this is the name of a step, in a record of any release. */
export function isRecordedStep(name: string): name is RecordedStep {
  return Object.hasOwn(steps, name) || isFormerName(name);
}

/** The step that a record is about. */
export function stepOfRecord(name: RecordedStep): StepName {
  return isFormerName(name) ? formerNames[name] : name;
}

/** The steps that a state allows, in the table's order. */
export function stepsFrom(status: Status): StepName[] {
  return stepNames.filter((name) => stepAllowed(name, status));
}

/** What a state means for other rules. A new state does not compile until each trait is set. */
interface Traits {
  /** The application waits for a decision: it is in the desk's queue, and its SLA clock counts. */
  readonly undecided: boolean;
  /**
   * How much of the client's funding limit the application uses: the whole advance, its outstanding part, or nothing.
   */
  readonly uses: 'nothing' | 'advance' | 'outstanding';
  /** Whether the application counts in figures about applications submitted. */
  readonly appliedFor: boolean;
  /** Whether an approval is in force, so that there is an offer letter. */
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
/** The states that count in figures about applications submitted. */
export const appliedStatuses = statusesWhere(({ appliedFor }) => appliedFor);

/** Whether the client may still change invoice, application and documents: only in a draft. */
export function isEditable(status: Status): boolean {
  return status === 'Draft';
}

/** Whether the client may add or replace a document; `wasAskedFor`: an officer asked for this document type. */
export function mayUpload(status: Status, wasAskedFor: boolean): boolean {
  const { uploads } = statusTraits[status];
  return uploads === 'any' || (uploads === 'asked' && wasAskedFor);
}
