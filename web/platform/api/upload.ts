import type { Endpoint } from '#contract/endpoint.ts';
import { forgetPrefetched } from '#web/platform/prefetch/prefetched.ts';
import { sessionEndings } from '#web/platform/session/session.ts';
import { ApiFailure, logged, readFailure } from './api.ts';
import { urlOf } from './question.ts';

/** Where and how to send bytes. */
interface Sending {
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the fraction that has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** After this long without a reply, the connection counts as lost. */
const SILENCE_LIMIT_MS = 120_000;

/**
 * Sends bytes or a form with progress, which fetch can't report. Rejects with {@link ApiFailure} for refusals and a
 * lost connection, and with the signal's reason if aborted.
 */
export function send(endpoint: Endpoint, body: Blob | FormData, sending: Sending): Promise<void> {
  const { params = {}, headers = {}, signal, onProgress } = sending;
  const sentAfter = sessionEndings();
  const sent = new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const lose = () =>
      reject(
        logged(
          new ApiFailure('NETWORK', 'The connection was lost during the upload. Check your network and try again.'),
        ),
      );
    request.open(endpoint.method, urlOf(endpoint, { params }));
    for (const [name, value] of Object.entries({ 'X-Requested-With': 'fetch', ...headers }))
      request.setRequestHeader(name, value);
    request.responseType = 'json';
    if (body instanceof Blob) request.timeout = SILENCE_LIMIT_MS;
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(readFailure(request.response, request.getResponseHeader('Retry-After'), sentAfter));
    };
    request.onerror = lose;
    request.ontimeout = lose;
    request.onabort = () => reject(signal.reason);
    const abort = (): void => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.send(body);
  });
  // A list requested earlier lacks the document, so we drop it before anybody who waits for the upload reloads the
  // list.
  return sent.finally(forgetPrefetched);
}

/** A form with one file at its end, so that a server that streams it has read the other fields by then. */
export function asForm(fields: Readonly<Record<string, string>>, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file);
  return form;
}
