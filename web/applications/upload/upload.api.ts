import { useMutation, useQueryClient } from '@tanstack/react-query';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { showingDocuments } from '#web/applications/documents/documents.api.ts';
import { callApi } from '#web/platform/api/api.ts';
import { asForm, send } from '#web/platform/api/upload.ts';
import { invalidate } from '#web/platform/api/use-call.ts';
import { type PartCalls, untilAnswered, uploadInParts } from './lasting-upload.ts';

interface Upload {
  readonly document: SupportingDocument;
  readonly file: File;
  /** The same for every attempt with one file. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  /** Called when the upload waits for the connection and when it continues. */
  readonly onWaiting: (waits: boolean) => void;
}

/** The abort reason if the person gave up. An upload that ended with its page can be continued. */
export const GIVEN_UP = 'given up';

/** Uploads a document of an invoice, then refreshes list and check. False if it was cancelled. */
export function useUploadDocument(invoiceTag: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (upload: Upload) => {
      try {
        await uploadDocument(invoiceTag, upload);
        return true;
      } catch (error) {
        if (upload.signal.aborted) return false;
        throw error;
      }
    },
    // Also after a cancelled upload, which may have finished first.
    onSuccess: () => invalidate(queryClient, showingDocuments),
  });
}

/**
 * Uploads in parts, so that a lost connection costs at most one part and a refusal comes before the file is sent.
 * Without a digest, sends the file in one request.
 */
async function uploadDocument(
  invoiceTag: string,
  { document, file, idempotencyKey, ...lasting }: Upload,
): Promise<void> {
  const { typeId } = document;
  const { signal, onProgress } = lasting;
  const digest = await digestOf(file);
  if (digest === undefined) {
    const form = asForm({ invoiceTag, typeId: String(typeId) }, file);
    const headers = { 'Idempotency-Key': idempotencyKey };
    await untilAnswered(() => send(documentEndpoints.uploadDocument, form, { headers, signal, onProgress }), lasting);
    return;
  }
  const begun = { invoiceTag, typeId, fileName: file.name.slice(-LONGEST_NAME), size: file.size, sha256: digest };
  const calls: PartCalls = {
    begin: async () => {
      const { data } = await callApi(documentEndpoints.beginUpload, begun, { signal });
      forgetWhenGivenUp(data.tag, signal);
      return data;
    },
    sendPart: (tag, part, content, told) =>
      send(documentEndpoints.uploadPart, content, { params: { tag, part: String(part) }, signal, onProgress: told }),
    finish: async (tag) => {
      await callApi(documentEndpoints.finishUpload, undefined, { params: { tag }, signal });
    },
  };
  await uploadInParts(file, calls, lasting);
}

const LONGEST_NAME = 255;

/** Deletes a cancelled upload from the server, because nobody will resume it. */
function forgetWhenGivenUp(tag: string, signal: AbortSignal): void {
  const forget = async (): Promise<void> => {
    if (signal.reason === GIVEN_UP) await callApi(documentEndpoints.cancelUpload, undefined, { params: { tag } });
  };
  // If that call does not arrive, the server forgets the upload by itself.
  signal.addEventListener('abort', () => void forget().catch(() => undefined), { once: true });
}

/**
 * The digest by which the server recognises a file; undefined on a page over plain http, where browsers provide none.
 */
async function digestOf(file: File): Promise<string | undefined> {
  if (!('subtle' in crypto)) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
