import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { callApi } from '#web/platform/api.ts';
import { queryCall } from '#web/platform/query-client.ts';
import { uploadFile } from '#web/platform/upload.ts';

/** Everything that is known of an invoice’s documents. */
export const documentsKey = (invoiceTag: string) => ['documents', invoiceTag];

/** The document types of an invoice with what is uploaded; asked for once there is an invoice to upload to. */
export function useDocuments(invoiceTag: string | undefined) {
  const tag = invoiceTag ?? '';
  return useQuery({
    queryKey: [...documentsKey(tag), 'list'],
    queryFn: (context) =>
      callApi(documentEndpoints.listDocuments, undefined, { params: { tag }, ...queryCall(context) }),
    enabled: invoiceTag !== undefined,
  });
}

/** Whether every mandatory document is uploaded; asked once there is an invoice to upload to. */
export function useDocumentCheck(invoiceTag: string | undefined) {
  const tag = invoiceTag ?? '';
  return useQuery({
    queryKey: [...documentsKey(tag), 'check'],
    queryFn: (context) =>
      callApi(documentEndpoints.checkDocuments, undefined, { params: { tag }, ...queryCall(context) }),
    enabled: invoiceTag !== undefined,
  });
}

interface Upload {
  readonly document: SupportingDocument;
  readonly file: File;
  /** The same for every try with one file. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

/** Uploads a document of an invoice; list and check are up to date when it is done. False where it was cancelled. */
export function useUploadDocument(invoiceTag: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ document, file, ...options }: Upload) => {
      const fields = { invoiceTag, typeId: String(document.typeId) };
      try {
        await uploadFile(documentEndpoints.uploadDocument, fields, file, options);
        return true;
      } catch (error) {
        if (options.signal.aborted) return false;
        throw error;
      }
    },
    // Also after a cancelled one: it may have arrived before it was.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: documentsKey(invoiceTag) }),
  });
}

/** Deletes an uploaded document of an invoice; list and check are up to date when it is done. */
export function useDeleteDocument(invoiceTag: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (documentTag: string) =>
      callApi(documentEndpoints.deleteDocument, undefined, { params: { tag: documentTag } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: documentsKey(invoiceTag) }),
  });
}
