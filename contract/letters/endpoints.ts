import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { tag } from '#contract/fields.ts';

const byTag = z.strictObject({ tag });

/** The letters of an application, as PDFs. The tag is the invoice's or the application's. */
export const letterEndpoints = {
  keyFactsLetter: endpoint({
    method: 'GET',
    path: '/applications/:tag/key_facts.pdf',
    summary: 'The accepted key facts as a PDF',
    params: byTag,
    file: true,
    ownQueue: true,
    reply: z.unknown(),
    needs: 'invoices.view',
  }),
  offerLetter: endpoint({
    method: 'GET',
    path: '/applications/:tag/offer_letter.pdf',
    summary: 'The offer letter of an approved application as a PDF',
    params: byTag,
    file: true,
    ownQueue: true,
    reply: z.unknown(),
    needs: 'invoices.view',
  }),
  evidence: endpoint({
    method: 'GET',
    path: '/desk/cases/:tag/evidence.pdf',
    summary: 'The whole history of an application from the audit log, as a PDF',
    params: byTag,
    file: true,
    ownQueue: true,
    reply: z.unknown(),
    needs: 'evidence.export',
  }),
} as const;
