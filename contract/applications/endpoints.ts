import { z } from 'zod';
import { applicationForm } from '#contract/applications/schema.ts';
import { endpoint } from '#contract/endpoint.ts';
import { noBody, success, tag } from '#contract/fields.ts';

const byTag = z.strictObject({ tag });

/** What a readiness check answers: always 200, with what is still missing (decisions, 'Deliberate departures'). */
export const readiness = z.strictObject({ success: z.boolean(), missing: z.array(z.string()) });

/** Checking and submitting an application (specification, section 7). The tag is the invoice's or the application's. */
export const applicationEndpoints = {
  checkSubmission: endpoint({
    method: 'GET',
    path: '/invoices/:tag/validate_submission',
    aliases: [{ method: 'GET', path: '/applications/submit-ready-check/:tag' }],
    summary: 'Whether the application could be submitted now, and what is missing',
    params: byTag,
    reply: readiness,
    needs: 'invoices.view',
  }),
  validateApplication: endpoint({
    method: 'POST',
    path: '/applications/validate',
    summary: 'Check an application form without storing it',
    body: applicationForm,
    reply: z.strictObject({ success: z.boolean(), fields: z.record(z.string(), z.string()) }),
    needs: 'applications.edit',
    changes: false,
  }),
  submitApplication: endpoint({
    method: 'POST',
    path: '/applications/:tag/submit',
    aliases: [
      { method: 'GET', path: '/applications/:tag/submit' },
      { method: 'GET', path: '/applications/submit/:tag' },
    ],
    summary: 'Submit an application; a second submit answers success again and changes nothing',
    params: byTag,
    body: noBody,
    reply: success,
    needs: 'applications.submit',
  }),
} as const;
