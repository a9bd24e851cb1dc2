import { Agent, request } from 'node:https';
import { API_ROOT } from '#contract/endpoint.ts';
import { cookieHeader } from '#testing/servers/server-process.ts';
import { testCertificate } from '#testing/servers/test-certificate.ts';
import { callerFrom, type TestCaller, textHeaders } from '#testing/test-app.ts';

const agent = new Agent({ keepAlive: true, ca: testCertificate.cert, servername: 'localhost' });

/** The same caller, calling a proxy over TLS on a kept-alive connection; only the status of a reply is read. */
export function tlsCaller(port: number, { cookies }: TestCaller): TestCaller {
  const call: TestCaller['call'] = async ({ method = 'GET', url, payload, headers }) => {
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.from(payload) : Buffer.alloc(0);
    const own = { cookie: cookieHeader({ cookies }), 'x-requested-with': 'fetch', 'content-length': body.length };
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method,
          path: `${API_ROOT}${url}`,
          headers: { ...textHeaders(headers), ...own },
        },
        (response) => {
          response.resume();
          response.on('error', reject);
          response.on('end', () => resolve(response.statusCode ?? 0));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
    return { status, body: undefined, raw: Buffer.alloc(0), headers: {} };
  };
  return callerFrom(cookies, call);
}
