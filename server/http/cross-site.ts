import type { FastifyRequest } from 'fastify';

/**
 * Whether a changing call may have been made by another site or by a navigation (docs/specification-coverage.md). Only
 * same-origin fetches are allowed, judged by Sec-Fetch-* or else by Origin. A caller that sends neither is not a
 * browser. For a GET it must also send X-Requested-With, because an old browser's image tag sends neither header,
 * either.
 */
export function isCrossSite(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const headers = request.headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    const dest = headers['sec-fetch-dest'] ?? 'empty';
    return (
      site !== 'same-origin' || headers['sec-fetch-mode'] === 'navigate' || dest !== 'empty' || isPrefetch(request)
    );
  }
  const { origin } = headers;
  if (origin !== undefined) return !isOwnOrigin(origin, request, publicUrl);
  return request.method === 'GET' && headers['x-requested-with'] === undefined;
}

function isPrefetch(request: FastifyRequest): boolean {
  return String(request.headers['sec-purpose'] ?? request.headers.purpose ?? '').includes('prefetch');
}

function isOwnOrigin(origin: string, request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  // We also compare it as a URL, so that a default port equals no port.
  const own = `${protocol}//${request.host}`;
  return (
    (URL.canParse(own) && new URL(own).host === host) ||
    (publicUrl !== undefined && origin === new URL(publicUrl).origin)
  );
}
