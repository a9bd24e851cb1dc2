import type { FastifyRequest } from 'fastify';

/**
 * Protects what only this machine may see: a demonstration's messages and published passwords, and the server's
 * figures.
 */

/** Headers that proxies and tunnels add. */
const SPEAKS_FOR_ANOTHER = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Whether a host name or address, from a URL or HOST, is this machine itself. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * Whether a request was made on this machine and to its own name. The Host header reveals another site's page that uses
 * DNS rebinding; other headers reveal a tunnel or proxy.
 */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    isLoopbackName((headers.host ?? '').replace(/:\d{1,5}$/, '')) &&
    SPEAKS_FOR_ANOTHER.every((name) => headers[name] === undefined)
  );
}

/** Injected requests in tests have no address. */
function isLoopbackAddress(address: string | undefined): boolean {
  return address === undefined || isLoopbackName(address.replace(/^::ffff:/, ''));
}
