import type { CaseFacts } from './case-facts.ts';

/** The officer in these facts, and two others. */
export const [ME, OTHER, THIRD] = [1, 2, 3] as const;

/** In review by the officer, with no reason to refuse an approval. */
export const inReview: CaseFacts = {
  now: new Date('2026-11-20T08:00:00Z'),
  me: ME,
  status: 'In Review',
  assigneeId: ME,
  approvers: { firstApprovedBy: null, decidedBy: null },
  counts: { first: true, decision: true },
  bars: undefined,
  newUntil: undefined,
  hasPlacedApplicant: false,
  isClientActive: true,
  isBuyerActive: true,
  isClientLate: false,
  exposure: 900,
  limit: 1000,
  aloneUpTo: 900,
  approved: undefined,
};

/** Approved by another officer alone, with no reason to refuse a payout. */
export const approvedByOther: CaseFacts = {
  ...inReview,
  status: 'Approved',
  assigneeId: null,
  approvers: { firstApprovedBy: null, decidedBy: OTHER },
  approved: { hasLapsed: false, hasChanged: false, exposure: 900, isPlacedByApprover: false },
};

/** A day after the facts. */
export const LATER = new Date('2026-11-21T08:00:00Z');
