import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Sends a body in pieces with a pause after each, as over a slow connection; returns the reply's status. */
export function sendSlowly(
  url: string,
  { method, headers }: { readonly method: string; readonly headers: Readonly<Record<string, string>> },
  body: Buffer,
  { bytes, pauseMs }: { readonly bytes: number; readonly pauseMs: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, 'content-length': body.length } }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    const send = async (): Promise<void> => {
      for (let at = 0; at < body.length && !sent.destroyed; at += bytes) {
        sent.write(body.subarray(at, at + bytes));
        await wait(pauseMs);
      }
      sent.end();
    };
    send().catch(reject);
  });
}
