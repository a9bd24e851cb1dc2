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
  const { platform } = routes;

  routes.signedIn(deskEndpoints.deskQueue, ({ body, caller }) => readQueue(platform, caller, body));
  routes.signedIn(deskEndpoints.deskCounts, ({ caller }) => readCounts(platform, caller));
  routes.signedIn(deskEndpoints.deskFigures, ({ caller }) => readFigures(platform, caller));
  routes.signedIn(deskEndpoints.deskOfficers, () => listOfficers(platform));
  routes.signedIn(deskEndpoints.loadCase, ({ params, caller }) => readCase(platform, caller, params.tag));
  actRoutes(routes);
}

/** Assignments and steps. */
function actRoutes(routes: Routes): void {
  const { platform } = routes;

  routes.signedIn(deskEndpoints.takeCase, ({ params, caller }) => takeCase(platform, caller, params.tag));
  routes.signedIn(deskEndpoints.releaseCase, ({ params, caller }) => releaseCase(platform, caller, params.tag));
  routes.signedIn(deskEndpoints.handOverCase, ({ params, body, caller }) =>
    handOverCase(platform, caller, params.tag, body.officerTag),
  );
  routes.signedIn(deskEndpoints.startReview, ({ params, caller }) => startReview(platform, caller, params.tag));
  routes.signedIn(deskEndpoints.requestInformation, ({ params, body, caller }) =>
    requestInformation(platform, caller, params.tag, body),
  );
  routes.signedIn(deskEndpoints.recallRequest, ({ params, caller }) => recallRequest(platform, caller, params.tag));
  routes.signedIn(deskEndpoints.acknowledgeFlags, ({ params, body, caller }) =>
    acknowledgeFlags(platform, caller, params.tag, body),
  );
  routes.signedIn(deskEndpoints.approve, ({ params, caller }) => approve(platform, caller, params.tag));
  routes.signedIn(deskEndpoints.sendBack, ({ params, body, caller }) => sendBack(platform, caller, params.tag, body));
  routes.signedIn(deskEndpoints.cancelApproval, ({ params, body, caller }) =>
    cancelApproval(platform, caller, params.tag, body),
  );
  routes.signedIn(deskEndpoints.decline, ({ params, body, caller }) => decline(platform, caller, params.tag, body));
}
