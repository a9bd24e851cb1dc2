import type { Endpoint } from '#contract/endpoint.ts';
import type { Asked } from './question.ts';

/**
 * The key under which a query stores its reply. With fewer parameters, it matches the keys of all queries that have
 * them.
 */
export function keyOf({ method, path }: Endpoint, asked: Asked = {}) {
  return [`${method} ${path}`, asked] as const;
}
