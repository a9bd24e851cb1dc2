import { z } from 'zod';
import { readiness } from '#contract/applications/endpoints.ts';
import { supportingDocument, uploadBody } from '#contract/documents/schema.ts';
import { endpoint } from '#contract/endpoint.ts';
import { success, tag } from '#contract/fields.ts';

const byTag = z.strictObject({ tag });

/** Supporting documents (specification, section 7). */
export const documentEndpoints = {
  listDocuments: endpoint({
    method: 'GET',
    path: '/invoices/documents/:tag',
    aliases: [{ method: 'GET', path: '/options/supporting-doc-types/:tag' }],
    summary: 'The document types of an invoice with what is uploaded',
    params: byTag,
    reply: z.array(supportingDocument),
    needs: 'documents.view',
  }),
  checkDocuments: endpoint({
    method: 'GET',
    path: '/invoices/documents/:tag/validate',
    aliases: [{ method: 'GET', path: '/files/validate-mandatory/:tag' }],
    summary: 'Whether every mandatory document is uploaded, and which are missing',
    params: byTag,
    reply: readiness,
    needs: 'documents.view',
  }),
  uploadDocument: endpoint({
    method: 'POST',
    path: '/files/upload',
    summary: 'Upload a document; replaces the earlier one of its type',
    body: uploadBody,
    multipart: true,
    reply: z.strictObject({ success: z.literal(true), data: z.strictObject({ tag }) }),
    needs: 'documents.edit',
  }),
  viewDocument: endpoint({
    method: 'GET',
    path: '/files/view/:tag',
    summary: 'The document itself',
    params: byTag,
    file: true,
    reply: z.unknown(),
    needs: 'documents.view',
  }),
  deleteDocument: endpoint({
    method: 'DELETE',
    path: '/files/:tag',
    summary: 'Delete a document of one’s own draft',
    params: byTag,
    reply: success,
    needs: 'documents.edit',
  }),
} as const;
