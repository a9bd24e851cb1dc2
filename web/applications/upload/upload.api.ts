import { useMutation, useQueryClient } from '@tanstack/react-query';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { documentsKey } from '#web/applications/documents/documents.api.ts';
import { callApi } from '#web/platform/api/api.ts';
import { asForm, send } from '#web/platform/api/upload.ts';
import { type PartCalls, untilAnswered, uploadInParts } from './lasting-upload.ts';

interface Upload {
  readonly document: SupportingDocument;
  readonly file: File;
  /** The same for every try with one file. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  /** Told that it waits for the line, and that it goes on. */
  readonly onWaiting: (waits: boolean) => void;
}

/** Why an upload is aborted where somebody gave it up; one that merely ended with its page can be gone on with. */
export const GIVEN_UP = 'given up';

/** Uploads a document of an invoice; list and check are up to date when it is done. False where it was cancelled. */
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
    // Also after a cancelled one: it may have arrived before it was.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: documentsKey(invoiceTag) }),
  });
}

/**
 * In parts, so that a lost line costs a part at most and a refusal comes before the file is sent. In one request where there
 * is no digest.
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

/** What somebody gave up need not wait on the server for whoever goes on with it. */
function forgetWhenGivenUp(tag: string, signal: AbortSignal): void {
  const forget = async (): Promise<void> => {
    if (signal.reason === GIVEN_UP) await callApi(documentEndpoints.cancelUpload, undefined, { params: { tag } });
  };
  // Where that does not arrive, the server forgets it by itself.
  signal.addEventListener('abort', () => void forget().catch(() => undefined), { once: true });
}

/** The digest by which the server knows a file again; undefined on a page that came over plain http, where there is none. */
async function digestOf(file: File): Promise<string | undefined> {
  if (!('subtle' in crypto)) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
