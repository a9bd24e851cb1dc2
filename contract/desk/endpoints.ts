import { z } from 'zod';
import { requestBody } from '#contract/applications/progress.ts';
import {
  caseReply,
  declineBody,
  deskCounts,
  deskFigures,
  handOverBody,
  officers,
  queueBody,
  queueRow,
  sendBackBody,
} from '#contract/desk/schema.ts';
import { type Endpoint, endpoint } from '#contract/endpoint.ts';
import { noBody, success, tag } from '#contract/fields.ts';

const byTag = z.strictObject({ tag });
type ByTag = typeof byTag;

/** A step or a hold on a case. The tag in the path is the invoice's or the application's. */
function act<Body extends z.ZodType>(
  name: string,
  summary: string,
  body: Body,
): Endpoint<ByTag, z.ZodUndefined, Body, typeof success> {
  return endpoint({
    method: 'POST',
    path: `/desk/cases/:tag/${name}`,
    summary,
    params: byTag,
    body,
    reply: success,
    needs: 'desk.decide',
  });
}

/** The decision desk. */
export const deskEndpoints = {
  deskQueue: endpoint({
    method: 'POST',
    path: '/desk/queue',
    summary: 'A page of cases, the least time left first',
    body: queueBody,
    reply: z.array(queueRow),
    needs: 'desk.view',
    changes: false,
  }),
  deskCounts: endpoint({
    method: 'GET',
    path: '/desk/counts',
    summary: 'How many cases wait, are late, and were decided in time this month',
    reply: deskCounts,
    needs: 'desk.view',
  }),
  deskFigures: endpoint({
    method: 'GET',
    path: '/desk/figures',
    summary: 'How the promise was kept, this month and by week',
    reply: deskFigures,
    needs: 'desk.view',
  }),
  deskOfficers: endpoint({
    method: 'GET',
    path: '/desk/officers',
    summary: 'The officers a case can be handed to',
    reply: officers,
    needs: 'desk.view',
  }),
  loadCase: endpoint({
    method: 'GET',
    path: '/desk/cases/:tag',
    summary: 'Everything to decide a case on',
    params: byTag,
    reply: caseReply,
    needs: 'desk.view',
  }),
  evidence: endpoint({
    method: 'GET',
    path: '/desk/cases/:tag/evidence.pdf',
    summary: 'The whole history of an application from the audit log, as a PDF',
    params: byTag,
    file: true,
    reply: z.unknown(),
    needs: 'evidence.export',
  }),
  takeCase: act('take', 'Take a case that nobody has', noBody),
  releaseCase: act('release', 'Give a case back', noBody),
  handOverCase: act('hand_over', 'Hand a case over; an administrator may hand over anybody’s', handOverBody),
  startReview: act('start_review', 'Begin to review', noBody),
  requestInformation: act('request_information', 'Ask the client for something; the clock stands still', requestBody),
  recallRequest: act('recall_request', 'Take a request back; the clock goes on', noBody),
  approve: act('approve', 'Approve, for the first or the second time where two officers are needed', noBody),
  sendBack: act('send_back', 'Take the first approval back', sendBackBody),
  decline: act('decline', 'Decline with a reason and a note that the client reads', declineBody),
} as const;
