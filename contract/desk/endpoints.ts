import { z } from 'zod';
import { actionsAt } from '#contract/actions.ts';
import { requestBody } from '#contract/applications/progress.ts';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, noBody, success } from '#contract/fields.ts';
import {
  acknowledgeBody,
  approveBody,
  cancelApprovalBody,
  caseReply,
  declineBody,
  deskCounts,
  deskFigures,
  handOverBody,
  officers,
  queueBody,
  queueRow,
  sendBackBody,
} from './schema.ts';

const act = actionsAt('/desk/cases', 'desk.decide', success);

/** The decision desk. */
export const deskEndpoints = {
  deskQueue: endpoint({
    method: 'POST',
    path: '/desk/queue',
    summary: 'A page of cases, the most urgent first',
    body: queueBody,
    reply: z.array(queueRow),
    needs: 'desk.view',
    changes: false,
  }),
  deskCounts: endpoint({
    method: 'GET',
    path: '/desk/counts',
    summary: 'How many cases each view has, and how many were decided in time this month',
    reply: deskCounts,
    needs: 'desk.view',
  }),
  deskFigures: endpoint({
    method: 'GET',
    path: '/desk/figures',
    summary: 'How many decisions were in time, this month and by week',
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
  takeCase: act('take', 'Take an unassigned case', noBody),
  releaseCase: act('release', 'Give a case back', noBody),
  handOverCase: act('hand_over', 'Hand a case over; an administrator may hand over anybody’s', handOverBody),
  startReview: act('start_review', 'Start the review; takes the case first if it is unassigned', noBody),
  requestInformation: act('request_information', 'Ask the client for something; the clock is paused', requestBody),
  recallRequest: act('recall_request', 'Withdraw a request; the clock runs again', noBody),
  acknowledgeFlags: act('acknowledge', 'Acknowledge flags by name, with a reason', acknowledgeBody),
  approve: act('approve', 'Approve, for the first or the second time where two officers are needed', approveBody),
  sendBack: act('send_back', 'Cancel the first approval', sendBackBody),
  decline: act('decline', 'Decline with a reason and a note that the client reads', declineBody),
  cancelApproval: act('cancel_approval', 'Cancel an approval before it is paid out, with a reason', cancelApprovalBody),
} as const;
