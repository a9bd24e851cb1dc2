import { z } from 'zod';
import { freeText, lookupId, optional, tag } from '#contract/fields.ts';
import { overdue } from '#contract/payments/overdue.ts';
import { declineReasonCodes } from './decline-reasons.ts';
import { statuses, stepNames } from './lifecycle.ts';

/** The progress of an application, step by step, as client and staff see it. */

const stepName = z.enum(stepNames);

/** One step of the timeline; `by` and `note` are null if this reader may not see them. */
export const timelineStep = z.strictObject({
  step: stepName,
  to: z.enum(statuses),
  at: z.iso.datetime(),
  by: z.string().nullable(),
  note: z.string().nullable(),
});
export type TimelineStep = z.output<typeof timelineStep>;

/** The SLA clock. */
export const slaClock = z.strictObject({
  /** The deadline for our decision; null before submission and while the clock is paused. */
  decideBy: z.iso.datetime().nullable(),
  state: z.enum(['none', 'running', 'stopped', 'ended']),
  /** Working minutes left at the time of the reply; negative once `decideBy` has passed. */
  minutesLeft: z.int().nullable(),
  missed: z.boolean(),
  targetMinutes: z.int(),
});
export type SlaClockReply = z.output<typeof slaClock>;

/** A request for information. */
export const informationRequest = z.strictObject({
  tag,
  question: z.string(),
  documents: z.array(
    z.strictObject({
      typeId: z.int(),
      type: z.string(),
      /** Whether a file of that type was uploaded after the request. */
      uploaded: z.boolean(),
    }),
  ),
  askedAt: z.iso.datetime(),
  /** Null while the request is open; a recalled request has no answer. */
  answeredAt: z.iso.datetime().nullable(),
  answer: z.string().nullable(),
  recalled: z.boolean(),
});
export type InformationRequest = z.output<typeof informationRequest>;

export const progressReply = z.strictObject({
  status: z.enum(statuses),
  /** The current names of the two businesses, even if the buyer can no longer be chosen. */
  client: z.string(),
  buyer: z.string(),
  clock: slaClock,
  overdue: overdue.nullable(),
  /** Oldest first; a client sees only the steps that concern them. */
  steps: z.array(timelineStep),
  /** Newest first; while the status is Info Requested, the first one is open. */
  requests: z.array(informationRequest),
  declined: z.strictObject({ reason: z.enum(declineReasonCodes), note: z.string() }).nullable(),
  /** The steps that the caller may take now. */
  mayTake: z.array(stepName),
  /** Which letters can be downloaded. */
  papers: z.strictObject({ keyFacts: z.boolean(), offerLetter: z.boolean(), evidence: z.boolean() }),
});
export type ProgressReply = z.output<typeof progressReply>;

/**
 * Submitting accepts the current key facts. If the body names the version that was shown, an outdated version is a 409.
 */
export const submitBody = z.strictObject({ keyFactsVersion: optional(z.string().max(100)) }).optional();

export const answerBody = z.strictObject({ answer: optional(freeText(1, 'Write an answer', 2000)) }).optional();

/** An officer's request: a question, and the documents to add or replace. */
export const requestBody = z.strictObject({
  question: freeText(4, 'Write what you need to know', 2000),
  typeIds: z.array(lookupId('Select the type of document')).max(20).default([]),
});
export type RequestBody = z.output<typeof requestBody>;
