import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { invalidate, prefetched, useCall } from '#web/platform/api/use-call.ts';

/** Endpoints whose replies show an invoice's documents. */
export const showingDocuments = [documentEndpoints.listDocuments, documentEndpoints.checkDocuments];

/** The document types of an invoice with the uploaded files; loaded once the invoice exists. */
export function useDocuments(invoiceTag: string | undefined) {
  const tag = invoiceTag ?? '';
  return useCall(documentEndpoints.listDocuments, {
    params: { tag },
    initialData: () => prefetched(documentEndpoints.listDocuments, { tag }),
    enabled: invoiceTag !== undefined,
  });
}

/** An invoice's documents; until there is an invoice, all types of documents without a file. */
export function useListedDocuments(invoiceTag: string | undefined) {
  const documents = useDocuments(invoiceTag);
  const types = useCall(referenceEndpoints.documentTypes, {
    staleTime: Number.POSITIVE_INFINITY,
    enabled: invoiceTag === undefined,
  });
  // A new draft's list stays until its own documents have loaded, so that nothing moves. For a different invoice the
  // old list would be wrong.
  const [wasNew] = useState(invoiceTag === undefined);
  const listed: readonly SupportingDocument[] | undefined = documents.data ?? (wasNew ? types.data : undefined);
  return { listed, isOwn: documents.data !== undefined, query: invoiceTag === undefined ? types : documents };
}

/** Whether every mandatory document is uploaded; checked once the invoice exists. */
export function useDocumentCheck(invoiceTag: string | undefined) {
  const tag = invoiceTag ?? '';
  return useCall(documentEndpoints.checkDocuments, {
    params: { tag },
    enabled: invoiceTag !== undefined,
  });
}

/** Deletes an uploaded document of an invoice; afterwards list and check are up to date. */
export function useDeleteDocument() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (documentTag: string) =>
      callApi(documentEndpoints.deleteDocument, undefined, { params: { tag: documentTag } }),
    onSuccess: () => invalidate(queryClient, showingDocuments),
  });
}
