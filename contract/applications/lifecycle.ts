/**
 * The states of an application and the steps between them (specification, section 4; the decision desk): one table that
 * server and web read. A state changes by a step of this table and in no other way.
 */

export const statuses = [
  'Draft',
  'Submitted',
  'In Review',
  'Info Requested',
  'Approved',
  'Declined',
  'Withdrawn',
  'Disbursed',
  'Settled',
] as const;
export type Status = (typeof statuses)[number];

/**
 * Who may take a step: the client whose application it is, the officer who has taken the case (nobody else, so that two
 * never decide one), any officer, or Kasente itself. No officer acts on a business they belong to.
 */
export type StepTaker = 'client' | 'assignee' | 'officer' | 'kasente';

/** What a step does to the clock of the promise (contract/applications/sla.ts). */
export type ClockEffect = 'starts' | 'stops' | 'resumes' | 'ends';

interface Step {
  readonly from: readonly Status[];
  readonly to: Status;
  readonly by: StepTaker;
  /** What must be there beside state and taker, for people; the services ask for it. */
  readonly needs: string;
  readonly clock?: ClockEffect;
  /** Whether the client gets a message, and sees the step in the timeline. The officers see all of them. */
  readonly tellsClient: boolean;
  /** It is told to everybody who is active in the client's business, not to one of them alone. */
  readonly tellsEverybody?: true;
}

const inReview = ['In Review'] as const;

export const steps = {
  submit: {
    from: ['Draft'],
    to: 'Submitted',
    by: 'client',
    needs:
      'mandatory documents, the price of today, current key facts, room below the limit, no duplicate of its own, and a ' +
      'pause after a withdrawal of the same number',
    clock: 'starts',
    tellsClient: true,
    tellsEverybody: true,
  },
  withdraw: { from: ['Submitted'], to: 'Withdrawn', by: 'client', needs: 'nothing', clock: 'ends', tellsClient: true },
  startReview: { from: ['Submitted'], to: 'In Review', by: 'assignee', needs: 'nothing', tellsClient: true },
  requestInformation: {
    from: inReview,
    to: 'Info Requested',
    by: 'assignee',
    needs: 'a question, and which documents',
    clock: 'stops',
    tellsClient: true,
  },
  answerRequest: {
    from: ['Info Requested'],
    to: 'In Review',
    by: 'client',
    needs: 'the documents asked for, or an answer in words',
    clock: 'resumes',
    tellsClient: true,
  },
  recallRequest: {
    from: ['Info Requested'],
    to: 'In Review',
    by: 'assignee',
    needs: 'nothing',
    clock: 'resumes',
    tellsClient: true,
  },
  approveFirst: {
    from: inReview,
    to: 'In Review',
    by: 'assignee',
    needs: 'an advance that needs two officers, and no approval yet',
    tellsClient: false,
  },
  approve: {
    from: inReview,
    to: 'Approved',
    by: 'assignee',
    needs: 'above the threshold the approval of another officer',
    clock: 'ends',
    tellsClient: true,
    tellsEverybody: true,
  },
  sendBack: {
    from: inReview,
    to: 'In Review',
    by: 'officer',
    needs: 'a first approval, being the one who gave it or who has the case now, and a note',
    tellsClient: false,
  },
  voidApproval: {
    from: inReview,
    to: 'In Review',
    by: 'officer',
    needs:
      'a first approval that counts no more; it goes with the approval of another officer, and nobody takes it alone',
    tellsClient: false,
  },
  voidFirstApproval: {
    from: ['Info Requested'],
    to: 'Info Requested',
    by: 'kasente',
    needs: 'a first approval, and a document replaced since',
    tellsClient: false,
  },
  decline: {
    from: inReview,
    to: 'Declined',
    by: 'assignee',
    needs: 'a reason and a note that the client reads',
    clock: 'ends',
    tellsClient: true,
  },
  approveAgain: {
    from: ['Approved'],
    to: 'Approved',
    by: 'officer',
    needs: 'an approval that counts no more, or a second one that is needed by now, and not having given the other one',
    tellsClient: false,
  },
  disburse: {
    from: ['Approved'],
    to: 'Disbursed',
    by: 'officer',
    needs:
      'method, reference, date and the net proceeds exactly; active businesses, a limit that holds, approvals that ' +
      'count, and another officer than the only one who approved',
    tellsClient: true,
    tellsEverybody: true,
  },
  reverseDisbursement: {
    from: ['Disbursed'],
    to: 'Approved',
    by: 'officer',
    needs: 'a reason, and nothing settled',
    tellsClient: true,
    tellsEverybody: true,
  },
  receivePart: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    needs: 'payer, method, reference, date and amount, less than what is outstanding',
    tellsClient: true,
  },
  settle: {
    from: ['Disbursed'],
    to: 'Settled',
    by: 'officer',
    needs: 'payer, method, reference, date and amount, at least what is outstanding',
    tellsClient: true,
  },
  reversePart: {
    from: ['Disbursed'],
    to: 'Disbursed',
    by: 'officer',
    needs: 'a reason',
    tellsClient: true,
  },
  reverseSettlement: {
    from: ['Settled'],
    to: 'Disbursed',
    by: 'officer',
    needs: 'a reason, and that what remains settles no more',
    tellsClient: true,
  },
  receiveMore: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    needs: 'payer, method, reference, date and amount: all of it is owed to the client',
    tellsClient: true,
  },
  reverseMore: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    needs: 'a reason, that what remains settles still, and that no more was paid to the client than is owed then',
    tellsClient: true,
  },
  paySurplus: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    needs: 'method, reference, date and amount, at most what is owed to the client',
    tellsClient: true,
    tellsEverybody: true,
  },
  reverseSurplus: {
    from: ['Settled'],
    to: 'Settled',
    by: 'officer',
    needs: 'a reason',
    tellsClient: true,
    tellsEverybody: true,
  },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof steps;
export const stepNames = Object.keys(steps) as readonly StepName[]; // the keys of a constant are its type's

/** Whether the step may be taken in that state. */
export function stepAllowed(name: StepName, from: Status): boolean {
  const allowed: readonly Status[] = steps[name].from;
  return allowed.includes(from);
}

/** The steps that a state allows, in the table's order. */
export function stepsFrom(status: Status): StepName[] {
  return stepNames.filter((name) => stepAllowed(name, status));
}

/** What a state means to the rules around it; a new state does not compile until each is said. */
interface Traits {
  /** Waits for a decision: the desk's queue shows it and the promise counts. */
  readonly undecided: boolean;
  /** What it takes of the client's funding limit: the advance, what of it is not paid back yet, or nothing. */
  readonly uses: 'nothing' | 'advance' | 'outstanding';
  /** Whether it counts in figures of what was applied for. */
  readonly appliedFor: boolean;
  /** Which documents the client may add or replace: any, those that were asked for, or none. */
  readonly uploads: 'any' | 'asked' | 'none';
}

export const statusTraits = {
  Draft: { undecided: false, uses: 'nothing', appliedFor: false, uploads: 'any' },
  Submitted: { undecided: true, uses: 'advance', appliedFor: true, uploads: 'none' },
  'In Review': { undecided: true, uses: 'advance', appliedFor: true, uploads: 'none' },
  'Info Requested': { undecided: true, uses: 'advance', appliedFor: true, uploads: 'asked' },
  Approved: { undecided: false, uses: 'advance', appliedFor: true, uploads: 'none' },
  Declined: { undecided: false, uses: 'nothing', appliedFor: true, uploads: 'none' },
  Withdrawn: { undecided: false, uses: 'nothing', appliedFor: false, uploads: 'none' },
  Disbursed: { undecided: false, uses: 'outstanding', appliedFor: true, uploads: 'none' },
  Settled: { undecided: false, uses: 'nothing', appliedFor: true, uploads: 'none' },
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

/** Whether the client may add or replace a document, of which it is known whether it was asked for. */
export function mayUpload(status: Status, wasAskedFor: boolean): boolean {
  const { uploads } = statusTraits[status];
  return uploads === 'any' || (uploads === 'asked' && wasAskedFor);
}
