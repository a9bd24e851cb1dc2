import { useMutation, useQueryClient } from '@tanstack/react-query';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
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
