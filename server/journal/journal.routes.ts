import { journalEndpoints } from '#contract/journal/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { readAccountJournal, readApplicationJournal, readTrialBalance } from './reading.service.ts';

/** The double-entry journal. */
export function journalRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.byTag(journalEndpoints.applicationJournal, readApplicationJournal);
  routes.signedIn(journalEndpoints.accountJournal, ({ params, query }) =>
    readAccountJournal(platform, params.account, query),
  );
  routes.signedIn(journalEndpoints.trialBalance, ({ caller, query }) =>
    readTrialBalance({ platform, caller }, query.on),
  );
}
