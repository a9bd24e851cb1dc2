import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { AppError } from '#server/http/app-error.ts';
import type { Routes } from '#server/http/http.ts';
import {
  closeDay,
  explainDifference,
  readReconciliation,
} from '#server/statements/reconciliation/reconciliation.service.ts';
import { importStatement } from './import.service.ts';
import { confirmReturn, dropReturn, proposeReturn } from './returns.service.ts';
import { assignArrival, findClaimants, listArrivals } from './waiting.service.ts';

/** Incoming money and statements. */
export function statementRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(statementEndpoints.importStatement, async ({ caller, query, request }) => {
    if (!Buffer.isBuffer(request.body)) throw new AppError('MEDIA_TYPE');
    return { success: true as const, data: await importStatement(platform, caller, query, request.body) };
  });
  routes.signedIn(statementEndpoints.listArrivals, ({ caller, query }) => listArrivals(platform, caller, query));
  routes.signedIn(statementEndpoints.findClaimants, ({ params, query }) =>
    findClaimants(platform, params.tag, query.searchPhrase),
  );
  routes.signedIn(statementEndpoints.assignArrival, ({ caller, params, body }) =>
    assignArrival(platform, caller, params.tag, body),
  );
  routes.signedIn(statementEndpoints.proposeReturn, ({ caller, params, body }) =>
    proposeReturn(platform, caller, params.tag, body),
  );
  routes.signedIn(statementEndpoints.confirmReturn, ({ caller, params, body }) =>
    confirmReturn(platform, caller, params.tag, body),
  );
  routes.signedIn(statementEndpoints.dropReturn, ({ caller, params, body }) =>
    dropReturn(platform, caller, params.tag, body),
  );
  routes.signedIn(statementEndpoints.reconciliation, ({ caller, query }) =>
    readReconciliation(platform, caller, query),
  );
  routes.signedIn(statementEndpoints.explainDifference, ({ caller, body }) =>
    explainDifference(platform, caller, body),
  );
  routes.signedIn(statementEndpoints.closeDay, ({ caller, body }) => closeDay(platform, caller, body));
}
