import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import type { Operation } from './openapi-operations.ts';

/** Raw requests: paths and headers that no client library would send. */

export interface RawRequest {
  readonly head: string;
  readonly body: string;
}

const pathTricks: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}/../../..`,
  (path) => `${path}/%2e%2e/%2e%2e/metrics`,
  (path) => path.replace('/v1/', '/v1//'),
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/api/', '/API/'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replaceAll('/', '%2f'),
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path) => `${path}%ff`,
  (path) => `${path};x=1`,
  (path) => `${path}?${'a=1&'.repeat(500)}`,
  (path) => `${path}?__proto__=1&__proto__[x]=2`,
  (path) => `${path}#x`,
  (path) => `http://elsewhere.example${path}`,
  (path) => `${path}/${'x'.repeat(9000)}`,
  (path) => `${path} HTTP/1.1 x`,
  (path) => `/${path.slice(1).split('').reverse().join('')}`,
  () => '*',
  () => '/assets/../../package.json',
  () => '/..%2f..%2f.env',
  () => '/%c0%ae%c0%ae/etc/passwd',
];

const headerTricks: readonly string[] = [
  '',
  'Content-Type: application/json\r\nContent-Type: text/plain\r\n',
  'Content-Length: 2\r\nContent-Length: 3\r\n',
  'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999\r\n',
  'Cookie: kasente_session=a\r\nCookie: kasente_session=b\r\n',
  'Cookie: kasente_session=%ff; __proto__=1; =; ;;;\r\n',
  'Origin: null\r\nOrigin: https://evil.example\r\n',
  'Origin: \u00ff\r\n',
  'Host: a\r\nHost: b\r\n',
  'X-Forwarded-For: \u0000\r\n',
  'X-Forwarded-For: 1.2.3.4, ::1, x\r\nX-Forwarded-Host: [\r\n',
  `X-Long: ${'x'.repeat(20_000)}\r\n`,
  'Expect: 100-continue\r\n',
  'Expect: x\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\n',
  'Range: bytes=0-,-1,9-1\r\n',
  'Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n',
  ' folded: x\r\n',
  'No colon\r\n',
  '__proto__: x\r\nconstructor: y\r\n',
];

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'get', 'G\u0000T'];

export function rawRequestOf(operations: readonly Operation[]): fc.Arbitrary<RawRequest> {
  return fc
    .record({
      operation: fc.constantFrom(...operations),
      method: fc.option(fc.constantFrom(...METHODS), { freq: 3 }),
      path: fc.constantFrom(...pathTricks),
      headers: fc.constantFrom(...headerTricks),
      body: fc.constantFrom('', '{}', '2\r\n{}\r\n0\r\n\r\n', 'zz\r\n'),
    })
    .map(({ operation, method, path, headers, body }) => ({
      head: `${method ?? operation.method} ${path(operation.path)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`,
      body,
    }));
}

/** Sends the bytes and ends the connection; returns the reply, with status 0 if there is none. */
export async function sendRaw(port: number, { head, body }: RawRequest): Promise<{ status: number; text: string }> {
  const socket = connect(port, '127.0.0.1');
  // A server may hang up before everything was written.
  socket.on('error', () => undefined);
  socket.end(Buffer.from(`${head}${body}`, 'latin1'));
  const answer = await text(socket).catch(() => '');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0), text: answer };
}
