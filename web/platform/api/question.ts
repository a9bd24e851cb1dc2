import { API_ROOT, type Endpoint } from '#contract/endpoint.ts';

/** The parameters of a call. */
export interface Asked<Body = unknown> {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: Body;
}

/** A call that only reads. */
export interface Question extends Asked {
  readonly endpoint: Endpoint;
}

/** The URL of an endpoint with its parameters filled in. */
export function urlOf(endpoint: Endpoint, asked: Pick<Asked, 'params' | 'query'> = {}): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(asked.params?.[name] ?? ''));
  const query = new URLSearchParams(asked.query).toString();
  return `${API_ROOT}${path}${query === '' ? '' : `?${query}`}`;
}
