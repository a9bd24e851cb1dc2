import { expect } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import type { TestApp } from '#testing/test-app.ts';
import { encodeForm, filePart } from '#testing/uploads.ts';
import { callerKinds, createMatrixCaller, type MatrixCaller } from './matrix-callers.ts';
import { admitted, type MatrixRequest, type RowKind, Rows, rowKinds, type Sample } from './matrix-rows.ts';

/** One route of the permission matrix: every kind of caller on every kind of row. */

/** The actual and the expected replies for every kind of caller and row. */
export async function runMatrix(on: TestApp, sample: Sample, { method, path }: Pick<Endpoint, 'method' | 'path'>) {
  const found: string[] = [];
  const expected: string[] = [];
  for (const kind of callerKinds) {
    const caller = await createMatrixCaller(on, kind);
    for (const row of rowKinds) {
      const request =
        (await sample.request?.(new Rows(on, caller, row, { who: sample.who, isRead: method === 'GET' }))) ?? {};
      const { status, body } = await send(caller, method, path, request);
      expected.push(`${kind} ${row} ${expectedStatus(sample, caller, row)}`);
      found.push(`${kind} ${row} ${status}`);
      if (status >= 400)
        expect(body).toMatchObject({ success: false, msg: expect.any(String), code: expect.any(String) });
    }
  }
  return { found, expected };
}

function expectedStatus(sample: Sample, caller: MatrixCaller, row: RowKind): number {
  if (sample.who !== 'public' && caller.person === null) return 401;
  if (!admitted[sample.who].includes(caller.kind)) return 403;
  // A person without a business has no row of their own, so a stranger's is used.
  const outcome = sample[row] ?? sample.own;
  return typeof outcome === 'number' ? outcome : (outcome[caller.kind] ?? outcome.other);
}

async function send(caller: MatrixCaller, method: Endpoint['method'], path: string, request: MatrixRequest) {
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => request.params?.[name] ?? '') + (request.query ?? '');
  if (request.form !== undefined)
    return caller.caller.call({ method, url, ...encodeForm([...request.form.fields, filePart(request.form.file)]) });
  if (request.bytes !== undefined) {
    const headers = { 'content-type': 'application/octet-stream' };
    return caller.caller.call({ method, url, payload: request.bytes, headers });
  }
  if (request.body === undefined || method === 'GET') return caller.caller.call({ method, url });
  return caller.caller.call({
    method,
    url,
    payload: JSON.stringify(request.body),
    headers: { 'content-type': 'application/json' },
  });
}
