import { type StepName, statusTraits, stepOfRecord, steps } from '#contract/applications/lifecycle.ts';
import type { InformationRequest, ProgressReply, TimelineStep } from '#contract/applications/progress.ts';
import { overdueOf } from '#contract/payments/overdue.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { InformationRequest as Asked } from '#server/information-requests/information-requests.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { StepRow } from '#server/steps/progress.queries.ts';
import { type ClockReading, presentClock } from '#server/steps/sla-clock.presenter.ts';

/** The data shown as an application's progress. */
interface Progress {
  readonly names: { readonly client: string; readonly buyer: string };
  /** The settings for reading its clock; before submission, with the current target. */
  readonly reading: Pick<ClockReading, 'now' | 'holidays' | 'targetMs'>;
  readonly reader: Reader;
  readonly steps: readonly StepRow[];
  readonly requests: readonly Asked[];
  /** Whether the client accepted key facts, so that there is a key facts letter. */
  readonly hasKeyFacts: boolean;
  readonly mayTake: StepName[];
}

type Reader = 'client' | 'staff';

/** Presents the progress of an application. */
export function presentProgress(
  { status, case: found }: Pick<InvoiceRecord, 'status' | 'case'>,
  { names, reading, reader, steps: taken, requests, hasKeyFacts, mayTake }: Progress,
): ProgressReply {
  const { clock, missedAt, decidedAt, declineReason: reason, declineNote: note } = found;
  return {
    status,
    ...names,
    clock: presentClock({ status, clock, missedAt, decidedAt, ...reading }),
    overdue: overdueOf({ ...found, status }, kampalaDate(reading.now)),
    steps: presentSteps(taken, reader),
    requests: presentRequests(requests),
    declined: reason === null || note === null ? null : { reason, note },
    mayTake,
    papers: {
      keyFacts: hasKeyFacts,
      offerLetter: statusTraits[status].offered,
      evidence: reader === 'staff',
    },
  };
}

/**
 * The timeline for clients or staff. A client sees only the steps that clients are told about; they see which colleague
 * took a step, but never which officer.
 */
function presentSteps(rows: readonly StepRow[], reader: Reader): TimelineStep[] {
  const taken = rows.map((row) => ({ ...row, step: stepOfRecord(row.step) }));
  const shown = reader === 'staff' ? taken : taken.filter(({ step }) => steps[step].tells !== 'nobody');
  return shown.map(({ step, to_status: to, at, by, note }) => ({
    step,
    to,
    at: at.toISOString(),
    by: reader === 'staff' || isClientStep(step) ? by : null,
    note,
  }));
}

function isClientStep(step: StepName): boolean {
  return steps[step].by === 'client';
}

/** The requests for information, newest first. */
function presentRequests(requests: readonly Asked[]): InformationRequest[] {
  return requests.map((request) => ({
    tag: request.tag,
    question: request.question,
    documents: request.documents.map(({ typeId, type, uploaded }) => ({ typeId, type, uploaded })),
    askedAt: request.asked_at.toISOString(),
    answeredAt: request.answered_by === null ? null : (request.closed_at?.toISOString() ?? null),
    answer: request.answer,
    recalled: request.recalled,
  }));
}
