import type { FastifyRequest } from 'fastify';

/** What only this machine may have: messages of a demonstration, its published passwords, figures of the server. */

/** What proxies and tunnels say of those they speak for. */
const SPEAKS_FOR_ANOTHER = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Whether a name or an address, as it stands in a URL or in HOST, is this machine's own. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * Whether a request was made on this machine and for it by name: a page of another site that has its own name lead here
 * (DNS rebinding) is told by Host, a tunnel or a proxy by its headers.
 */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    isLoopbackName((headers.host ?? '').replace(/:\d{1,5}$/, '')) &&
    SPEAKS_FOR_ANOTHER.every((name) => headers[name] === undefined)
  );
}

/** Requests that tests hand over have no address. */
function isLoopbackAddress(address: string | undefined): boolean {
  return address === undefined || isLoopbackName(address.replace(/^::ffff:/, ''));
}
