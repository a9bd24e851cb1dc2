import { z } from 'zod';
import { freeText, lookupId, optional, tag } from '#contract/fields.ts';
import { overdue } from '#contract/payments/overdue.ts';
import { declineReasonCodes } from './decline-reasons.ts';
import { type StepName, statuses, stepNames } from './lifecycle.ts';

/** What became of an application, step by step, as client and staff see it. */

const stepName = z.enum(stepNames as [StepName, ...StepName[]]); // the table is not empty

/** One step that was taken; `by` and `note` are null where they are not for the one who asks. */
export const timelineStep = z.strictObject({
  step: stepName,
  to: z.enum(statuses),
  at: z.iso.datetime(),
  by: z.string().nullable(),
  note: z.string().nullable(),
});
export type TimelineStep = z.output<typeof timelineStep>;

/** The clock of the promise. */
export const slaClock = z.strictObject({
  /** The moment of the promise; null before submission and while the clock stands still. */
  decideBy: z.iso.datetime().nullable(),
  state: z.enum(['none', 'running', 'stopped', 'ended']),
  /** Working minutes left at the time of the answer, below 0 when the moment has passed. */
  minutesLeft: z.int().nullable(),
  missed: z.boolean(),
  targetMinutes: z.int(),
});
export type SlaClockReply = z.output<typeof slaClock>;

/** What the client was asked for. */
export const informationRequest = z.strictObject({
  tag,
  question: z.string(),
  documents: z.array(
    z.strictObject({
      typeId: z.int(),
      type: z.string(),
      /** Whether a file of that type was uploaded since it was asked for. */
      uploaded: z.boolean(),
    }),
  ),
  askedAt: z.iso.datetime(),
  /** Null while nobody has answered; a recalled request has no answer. */
  answeredAt: z.iso.datetime().nullable(),
  answer: z.string().nullable(),
  recalled: z.boolean(),
});
export type InformationRequest = z.output<typeof informationRequest>;

export const progressReply = z.strictObject({
  status: z.enum(statuses),
  /** The names of the two businesses, as they are now; the buyer may not be offered any more. */
  client: z.string(),
  buyer: z.string(),
  clock: slaClock,
  overdue: overdue.nullable(),
  /** Oldest first; a client sees the steps that concern them. */
  steps: z.array(timelineStep),
  /** Newest first; the first one is open while the status is Info Requested. */
  requests: z.array(informationRequest),
  declined: z.strictObject({ reason: z.enum(declineReasonCodes), note: z.string() }).nullable(),
  /** The steps that the one who asks may take now. */
  mayTake: z.array(stepName),
  /** Which papers there are to download. */
  papers: z.strictObject({ keyFacts: z.boolean(), offerLetter: z.boolean(), evidence: z.boolean() }),
});
export type ProgressReply = z.output<typeof progressReply>;

/** Submitting takes the current key facts as accepted; naming the version that was seen makes a stale one a 409. */
export const submitBody = z.strictObject({ keyFactsVersion: optional(z.string().max(100)) }).optional();

export const answerBody = z.strictObject({ answer: optional(freeText(1, 'Write an answer', 2000)) }).optional();

/** What an officer asks for: a question, and the documents to add or replace. */
export const requestBody = z.strictObject({
  question: freeText(4, 'Write what you need to know', 2000),
  typeIds: z.array(lookupId('Select the type of document')).max(20).default([]),
});
export type RequestBody = z.output<typeof requestBody>;
