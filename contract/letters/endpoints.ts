import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { byTag } from '#contract/fields.ts';
import type { Action } from '#contract/permissions.ts';

function letter(path: string, summary: string, needs: Action) {
  return endpoint({
    method: 'GET',
    path,
    summary,
    params: byTag,
    file: true,
    ownQueue: true,
    reply: z.unknown(),
    needs,
  });
}

/** The letters of an application, as PDFs. The tag is the invoice's or the application's. */
export const letterEndpoints = {
  keyFactsLetter: letter('/applications/:tag/key_facts.pdf', 'The accepted key facts as a PDF', 'invoices.view'),
  offerLetter: letter(
    '/applications/:tag/offer_letter.pdf',
    'The offer letter of an approved application as a PDF',
    'invoices.view',
  ),
  evidence: letter(
    '/desk/cases/:tag/evidence.pdf',
    'The whole history of an application from the audit log, as a PDF',
    'evidence.export',
  ),
} as const;
