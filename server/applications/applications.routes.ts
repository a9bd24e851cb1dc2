import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { answerRequest, withdrawApplication } from '#server/applications/steps/client-steps.service.ts';
import { checkSubmission, findRequirements, submitApplication } from '#server/applications/steps/submission.service.ts';
import type { Routes } from '#server/http/http.ts';
import { loadKeyFacts } from '#server/key-facts/key-facts.service.ts';
import { presentSaved } from './applications.presenter.ts';
import { deleteInvoice, saveForm, validateApplication } from './applications.service.ts';
import { readAttention } from './attention.service.ts';
import { readProgress } from './progress.service.ts';

/** Saving either form, deleting an invoice, key facts, submitting, and the client's later steps. */
export function applicationRoutes(routes: Routes): void {
  routes.byBody(applicationEndpoints.saveInvoice, async (...call) => presentSaved(await saveForm(...call)));
  routes.byTag(applicationEndpoints.deleteInvoice, deleteInvoice);
  routes.byBody(applicationEndpoints.validateApplication, validateApplication);
  routes.byTag(applicationEndpoints.checkSubmission, checkSubmission);
  routes.signedIn(applicationEndpoints.requirements, ({ caller, query }) =>
    findRequirements({ platform: routes.platform, caller }, query.tag),
  );
  routes.byTag(applicationEndpoints.submitApplication, (context, tag, body) =>
    submitApplication(context, tag, body?.keyFactsVersion),
  );
  routes.byTag(applicationEndpoints.withdrawApplication, withdrawApplication);
  routes.byTag(applicationEndpoints.answerRequest, (context, tag, body) => answerRequest(context, tag, body?.answer));
  routes.byTag(applicationEndpoints.keyFacts, loadKeyFacts);
  routes.byBody(applicationEndpoints.attention, readAttention);
  routes.byTag(applicationEndpoints.progress, readProgress);
}
