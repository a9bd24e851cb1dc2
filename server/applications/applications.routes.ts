import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { answerRequest, withdrawApplication } from '#server/applications/steps/client-steps.service.ts';
import { checkSubmission, submitApplication } from '#server/applications/steps/submission.service.ts';
import type { Routes } from '#server/http/http.ts';
import { presentSaved } from './applications.presenter.ts';
import { deleteInvoice, saveForm, validateApplication } from './applications.service.ts';
import { readAttention } from './attention.service.ts';
import { loadKeyFacts } from './key-facts.service.ts';
import { readProgress } from './progress.service.ts';

/** Saving either form, deleting an invoice, key facts, submitting, and the client's later steps. */
export function applicationRoutes(routes: Routes): void {
  const { platform } = routes;

  routes.signedIn(applicationEndpoints.saveInvoice, async ({ body, caller }) =>
    presentSaved(await saveForm(platform, caller, body)),
  );
  routes.signedIn(applicationEndpoints.deleteInvoice, async ({ params, caller }) => {
    await deleteInvoice(platform, caller, params.tag);
    return { success: true as const };
  });
  routes.signedIn(applicationEndpoints.validateApplication, ({ body, caller }) =>
    validateApplication(platform, caller, body),
  );
  routes.signedIn(applicationEndpoints.checkSubmission, ({ params, caller }) =>
    checkSubmission(platform, caller, params.tag),
  );
  routes.signedIn(applicationEndpoints.submitApplication, async ({ params, body, caller }) => {
    await submitApplication(platform, caller, params.tag, body?.keyFactsVersion);
    return { success: true as const };
  });
  routes.signedIn(applicationEndpoints.withdrawApplication, ({ params, caller }) =>
    withdrawApplication(platform, caller, params.tag),
  );
  routes.signedIn(applicationEndpoints.answerRequest, ({ params, body, caller }) =>
    answerRequest(platform, caller, params.tag, body?.answer),
  );
  routes.signedIn(applicationEndpoints.keyFacts, ({ params, caller }) => loadKeyFacts(platform, caller, params.tag));
  routes.signedIn(applicationEndpoints.attention, ({ caller }) => readAttention(platform, caller));
  routes.signedIn(applicationEndpoints.progress, ({ params, caller }) => readProgress(platform, caller, params.tag));
}
