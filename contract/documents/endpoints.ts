import { z } from 'zod';
import { readiness } from '#contract/applications/endpoints.ts';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, made, noBody, success, tag } from '#contract/fields.ts';
import { begunUpload, PART_BYTES, supportingDocument, uploadBody } from './schema.ts';

/** Supporting documents. */
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
    ownQueue: true,
    reply: made,
    needs: 'documents.edit',
  }),
  // The next four calls are not in the specification (docs/decisions/0025-uploads-that-resume.md).
  beginUpload: endpoint({
    method: 'POST',
    path: '/files/uploads',
    summary: 'Begin an upload in parts, or continue it: returns its tag and the parts that have arrived',
    body: begunUpload,
    reply: z.strictObject({
      success: z.literal(true),
      data: z.strictObject({ tag, arrived: z.array(z.int()) }),
    }),
    needs: 'documents.edit',
  }),
  uploadPart: endpoint({
    method: 'PUT',
    path: '/files/uploads/:tag/parts/:part',
    summary: 'One part of an upload, counted from 0; a repeat changes nothing',
    params: z.strictObject({ tag, part: z.string().regex(/^(0|[1-9]\d{0,4})$/) }),
    bytes: PART_BYTES,
    reply: success,
    needs: 'documents.edit',
  }),
  finishUpload: endpoint({
    method: 'POST',
    path: '/files/uploads/:tag/finish',
    summary: 'Make the document of an upload whose parts have all arrived; a repeat answers the same',
    params: byTag,
    body: noBody,
    ownQueue: true,
    reply: made,
    needs: 'documents.edit',
  }),
  cancelUpload: endpoint({
    method: 'DELETE',
    path: '/files/uploads/:tag',
    summary: 'Give up an upload in parts',
    params: byTag,
    reply: success,
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
