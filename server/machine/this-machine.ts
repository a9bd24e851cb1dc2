import type { FastifyRequest } from 'fastify';

/** What only this machine may see: messages of a demonstration, its published passwords, figures of the server. */

/** Headers of proxies and tunnels. */
const SPEAKS_FOR_ANOTHER = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Whether a host name or address in a URL or in HOST is this machine's own. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * Whether a request was made on this machine and to its own name: Host reveals a page of another site with DNS
 * rebinding, headers a tunnel or proxy.
 */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    isLoopbackName((headers.host ?? '').replace(/:\d{1,5}$/, '')) &&
    SPEAKS_FOR_ANOTHER.every((name) => headers[name] === undefined)
  );
}

/** Injected requests of tests have no address. */
function isLoopbackAddress(address: string | undefined): boolean {
  return address === undefined || isLoopbackName(address.replace(/^::ffff:/, ''));
}
