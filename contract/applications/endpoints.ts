import { z } from 'zod';
import { actionsAt, readingsAt } from '#contract/actions.ts';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, money, noBody, success, tag } from '#contract/fields.ts';
import { saveBody, savedReply } from '#contract/invoices/schema.ts';
import { attentionReply } from './attention.ts';
import { keyFactsReply } from './key-facts.schema.ts';
import { answerBody, progressReply, submitBody } from './progress.ts';
import { applicationForm } from './schema.ts';

const ofApplication = readingsAt('/applications', 'invoices.view');

/** The reply of a readiness check: always 200. It lists everything that is missing or overdue, and how to pay it. */
export const readiness = z.strictObject({
  success: z.boolean(),
  missing: z.array(z.string()),
  overdue: z.strictObject({ tag, text: z.string() }).optional(),
});
export type Readiness = z.output<typeof readiness>;

/** The conditions for submitting an application, known before the client starts one. */
export const requirements = z.strictObject({
  isClientActive: z.boolean(),
  /** The overdue advance that must be paid back first, and how to pay it. */
  overdue: z.strictObject({ tag, text: z.string() }).optional(),
  /** Until when the named invoice must wait, because an invoice with the same number was withdrawn. */
  pausedUntil: z.iso.datetime().nullable(),
  smallestAdvances: z.array(z.strictObject({ currency: z.string(), amount: money })),
});
export type Requirements = z.output<typeof requirements>;

const byClient = actionsAt('/applications', 'applications.submit', success);

/**
 * Saving either form, deleting an invoice with its application, checking, submitting, and the client's later steps. The
 * tag is the invoice's or the application's.
 */
export const applicationEndpoints = {
  saveInvoice: endpoint({
    method: 'POST',
    path: '/invoices',
    aliases: [{ method: 'POST', path: '/invoices/edit' }],
    summary: 'Save an invoice or its application while it is a draft',
    body: saveBody,
    reply: savedReply,
    needs: 'invoices.edit',
  }),
  deleteInvoice: endpoint({
    method: 'DELETE',
    path: '/invoices/:tag',
    summary: 'Delete a draft of one’s own with its documents',
    params: byTag,
    reply: success,
    needs: 'invoices.edit',
  }),
  checkSubmission: endpoint({
    method: 'GET',
    path: '/invoices/:tag/validate_submission',
    aliases: [{ method: 'GET', path: '/applications/submit-ready-check/:tag' }],
    summary: 'Whether the application could be submitted now, and what is missing',
    params: byTag,
    reply: readiness,
    needs: 'invoices.view',
  }),
  requirements: endpoint({
    method: 'GET',
    path: '/applications/requirements',
    summary:
      'What stands in the way of any application of the caller’s business, and of a draft of theirs if it is named',
    query: z.strictObject({ tag: tag.optional() }),
    reply: requirements,
    needs: 'applications.submit',
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
    body: submitBody,
    reply: success,
    needs: 'applications.submit',
  }),
  keyFacts: ofApplication(
    'key_facts',
    'What a client must know before they submit; afterwards what they accepted',
    keyFactsReply,
  ),
  attention: endpoint({
    method: 'GET',
    path: '/applications/attention',
    summary: 'Which of the caller’s own applications matter now, the most urgent first',
    reply: attentionReply,
    needs: 'figures.own',
  }),
  progress: ofApplication(
    'progress',
    'What became of an application, step by step, and by when it is decided',
    progressReply,
  ),
  withdrawApplication: byClient('withdraw', 'Take an application of one’s own back before it is paid out', noBody),
  answerRequest: byClient(
    'answer',
    'Answer what the officer asked for: in words, by the documents asked for, or both',
    answerBody,
  ),
} as const;
