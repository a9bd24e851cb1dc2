import type { Endpoint } from '#contract/endpoint.ts';
import { ApiFailure, logged, readFailure, urlOf } from '#web/platform/api.ts';

interface UploadOptions {
  /** The same for every try of one upload (decisions, 'The wire'). */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Told how much has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/**
 * Posts a file as multipart, because fetch cannot say how far it is. Rejects with {@link ApiFailure} for refusals and
 * a lost network, and with the signal's reason when it was aborted.
 */
export function uploadFile(
  endpoint: Endpoint,
  fields: Readonly<Record<string, string>>,
  file: File,
  { idempotencyKey, signal, onProgress }: UploadOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, urlOf(endpoint));
    request.setRequestHeader('X-Requested-With', 'fetch');
    request.setRequestHeader('Idempotency-Key', idempotencyKey);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(readFailure({ status: request.status, headers: readHeaders(request) }, readAnswer(request)));
    };
    request.onerror = () =>
      reject(
        logged(
          new ApiFailure('NETWORK', 'The connection was lost during the upload. Check your network and try again.'),
        ),
      );
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(asForm(fields, file));
  });
}

/** The file comes last: a server that streams it has read the fields by then. */
function asForm(fields: Readonly<Record<string, string>>, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file);
  return form;
}

function readAnswer(request: XMLHttpRequest): unknown {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return undefined;
  }
}

function readHeaders(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  const retryAfter = request.getResponseHeader('Retry-After');
  if (retryAfter !== null) headers.set('Retry-After', retryAfter);
  return headers;
}
