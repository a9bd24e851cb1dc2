import { deskEndpoints } from '#contract/desk/endpoints.ts';
import { handOverCase, releaseCase, takeCase } from '#server/desk/assignments/assignments.service.ts';
import {
  approve,
  cancelApproval,
  decline,
  recallRequest,
  requestInformation,
  sendBack,
  startReview,
} from '#server/desk/decisions/decisions.service.ts';
import { acknowledgeFlags } from '#server/flags/flags.service.ts';
import type { Routes } from '#server/http/http.ts';
import { listOfficers, readCase, readCounts, readFigures, readQueue } from './desk.service.ts';

/** The decision desk. */
export function deskRoutes(routes: Routes): void {
  routes.byBody(deskEndpoints.deskQueue, readQueue);
  routes.byBody(deskEndpoints.deskCounts, readCounts);
  routes.byBody(deskEndpoints.deskFigures, readFigures);
  routes.byBody(deskEndpoints.deskOfficers, listOfficers);
  routes.byTag(deskEndpoints.loadCase, readCase);
  routes.byTag(deskEndpoints.takeCase, takeCase);
  routes.byTag(deskEndpoints.releaseCase, releaseCase);
  routes.byTag(deskEndpoints.handOverCase, handOverCase);
  routes.byTag(deskEndpoints.startReview, startReview);
  routes.byTag(deskEndpoints.requestInformation, requestInformation);
  routes.byTag(deskEndpoints.recallRequest, recallRequest);
  routes.byTag(deskEndpoints.acknowledgeFlags, acknowledgeFlags);
  routes.byTag(deskEndpoints.approve, approve);
  routes.byTag(deskEndpoints.sendBack, sendBack);
  routes.byTag(deskEndpoints.cancelApproval, cancelApproval);
  routes.byTag(deskEndpoints.decline, decline);
}
