import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Routes } from '#server/http/http.ts';
import { FairSemaphore } from '#server/machine/fair-semaphore.ts';
import { answerRepeat } from '#server/statements/counted-once/repeats.service.ts';
import { readMatching } from '#server/statements/matching/after-import.service.ts';
import {
  closeDay,
  explainDifference,
  readReconciliation,
} from '#server/statements/reconciliation/reconciliation.service.ts';
import {
  confirmWithdrawal,
  dropWithdrawal,
  proposeWithdrawal,
  readWithdrawal,
} from '#server/statements/withdrawals/withdrawals.service.ts';
import { importStatement } from './import.service.ts';
import { confirmReturn, dropReturn, proposeReturn } from './returns.service.ts';
import { assignReceived, findClaimants, listReceived } from './waiting.service.ts';

/** A day with many lines takes long, so the semaphore is fair by person, as for letters. */
const RECONCILIATIONS_AT_ONCE = { atOnce: 2, atOnceEach: 1, waiting: 40 } as const;

/** Incoming money and statements. */
export function statementRoutes(routes: Routes): void {
  const { platform } = routes;
  const turns = new FairSemaphore(RECONCILIATIONS_AT_ONCE);
  routes.signedIn(statementEndpoints.importStatement, async ({ caller, query, request }) => {
    if (!Buffer.isBuffer(request.body)) throw new AppError('MEDIA_TYPE');
    return { success: true as const, data: await importStatement({ platform, caller }, query, request.body) };
  });
  routes.signedIn(statementEndpoints.readWithdrawal, ({ params }) => readWithdrawal(platform, params.tag));
  routes.byTag(statementEndpoints.proposeWithdrawal, proposeWithdrawal);
  routes.byTag(statementEndpoints.confirmWithdrawal, confirmWithdrawal);
  routes.byTag(statementEndpoints.dropWithdrawal, dropWithdrawal);
  routes.signedIn(statementEndpoints.statementMatching, ({ params }) => readMatching(platform, params.tag));
  routes.signedIn(statementEndpoints.listReceived, ({ caller, query }) => listReceived({ platform, caller }, query));
  routes.signedIn(statementEndpoints.findClaimants, ({ params, query }) =>
    findClaimants(platform, params.tag, query.searchPhrase),
  );
  routes.byTag(statementEndpoints.assignReceived, assignReceived);
  routes.byTag(statementEndpoints.answerRepeat, answerRepeat);
  routes.byTag(statementEndpoints.proposeReturn, proposeReturn);
  routes.byTag(statementEndpoints.confirmReturn, confirmReturn);
  routes.byTag(statementEndpoints.dropReturn, dropReturn);
  routes.signedIn(statementEndpoints.reconciliation, ({ caller, query }) =>
    turns.run(caller.person.tag, () => readReconciliation({ platform, caller }, query)),
  );
  routes.byBody(statementEndpoints.explainDifference, explainDifference);
  routes.byBody(statementEndpoints.closeDay, closeDay);
}
