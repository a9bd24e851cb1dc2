import { type APIRequestContext, expect } from '@playwright/test';

/**
 * API calls without a screen, each of which must succeed: for preparing a journey, and for what other people do
 * meanwhile.
 */

/** Somebody with a session: a page, or a browser context without a page. */
export interface Caller {
  readonly request: APIRequestContext;
}

export function get<T>(by: Caller, path: string): Promise<T> {
  return call(by, 'GET', path);
}

export function post<T>(by: Caller, path: string, data: object = {}): Promise<T> {
  return call(by, 'POST', path, data);
}

export function put(by: Caller, path: string, data: object): Promise<void> {
  return call(by, 'PUT', path, data);
}

/** The first row of a list for a search phrase. */
export async function firstRow<T>(by: Caller, path: string, searchPhrase: string): Promise<T> {
  const [row] = await post<[T]>(by, path, { page: 1, searchPhrase });
  return row;
}

async function call<T>({ request }: Caller, method: string, path: string, data?: object): Promise<T> {
  const answer = await request.fetch(`/api/v1/${path}`, { method, headers: { 'X-Requested-With': 'fetch' }, data });
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200);
  return answer.json();
}
