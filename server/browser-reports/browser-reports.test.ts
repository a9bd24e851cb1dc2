import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#server/observability/logging.ts';
import { appOfFile } from '#testing/test-app.ts';

const lines: string[] = [];
const app = appOfFile({}, { log: createLog('warn', { write: (line) => lines.push(line) }) });
beforeEach(() => {
  lines.length = 0;
});

/** Sends a report as a browser does: unlike our calls, and without a session. */
function report(payload: string, type: string, remoteAddress = '203.0.113.9') {
  return app.server.inject({
    method: 'POST',
    url: '/api/v1/csp_reports',
    headers: {
      'content-type': type,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'report',
    },
    payload,
    remoteAddress,
  });
}

async function counted(directive: string): Promise<number> {
  const { body } = await app.server.inject('/metrics');
  return Number(new RegExp(`kasente_csp_reports_total\\{directive="${directive}"\\} (\\d+)`).exec(body)?.[1] ?? 0);
}

const TAG = '0f8fad5b-d9cb-469f-a165-70867728950e';
const violation = {
  documentURL: `https://kasente.example/invoices/${TAG}?search=Okello#secret`,
  blockedURL: 'https://evil.example/steal?pin=12345',
  effectiveDirective: 'script-src-elem',
  originalPolicy: "default-src 'none'",
  sample: 'alert("Okello")',
  referrer: 'https://kasente.example/reset-password',
  statusCode: 200,
};
const oldForm = {
  'csp-report': {
    'document-uri': violation.documentURL,
    'blocked-uri': violation.blockedURL,
    'violated-directive': "script-src-elem 'self'",
    'script-sample': violation.sample,
  },
};
const logged = { directive: 'script-src-elem', blocked: 'https://evil.example', page: '/invoices/…' };

describe('POST /csp_reports', () => {
  it.each([
    ['application/reports+json', [{ type: 'csp-violation', age: 1, url: 'x', user_agent: 'y', body: violation }]],
    ['application/csp-report', oldForm],
    ['application/json', oldForm],
  ])('as %s is counted, and logged without query, tags, samples or referrers', async (type, body) => {
    const before = await counted('script-src-elem');
    const answer = await report(JSON.stringify(body), type);
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }]);
    expect(await counted('script-src-elem')).toBe(before + 1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([logged]);
    expect(lines.join()).not.toMatch(/Okello|12345|secret|0f8fad5b|reset-password/);
  });

  it('takes from whatever anybody sends nothing but words of its own', async () => {
    const hostile = {
      effectiveDirective: 'x"} 1\nkasente_up 0',
      blockedURL: 'javascript:alert(1)//\u001b[31m',
      documentURL: `https://kasente.example/${'a'.repeat(5000)}`,
    };
    const answer = await report(JSON.stringify([{ type: 'csp-violation', body: hostile }]), 'application/reports+json');
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(lines.join())).toMatchObject({ directive: 'unknown', blocked: 'javascript:', page: '/…' });
    expect(await counted('other')).toBe(1);
  });

  it('passes over reports of other things', async () => {
    const body = [{ type: 'deprecation', body: { id: 'x' } }, { type: 'csp-violation' }];
    expect((await report(JSON.stringify(body), 'application/reports+json')).statusCode).toBe(200);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ directive: 'unknown', blocked: 'unknown' }]);
  });

  it.each([
    [413, 'BODY_TOO_LARGE', 'application/csp-report', JSON.stringify({ 'csp-report': { x: 'x'.repeat(17_000) } })],
    [400, 'BAD_REQUEST', 'application/csp-report', '{"report":1}'],
    [400, 'BAD_REQUEST', 'application/reports+json', JSON.stringify(Array(51).fill({ type: 'csp-violation' }))],
    [400, 'MALFORMED', 'application/csp-report', '{'],
    [400, 'MALFORMED', 'application/csp-report', '{"csp-report":{"__proto__":{"x":1}}}'],
    [415, 'MEDIA_TYPE', 'text/plain', '{}'],
  ])('answers %i %s to what is no report', async (status, code, type, payload) => {
    const answer = await report(payload, type);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(lines).toEqual([]);
  });

  it('limits reports a minute, by address and in total', async () => {
    const statuses = async (count: number, address: (sent: number) => string) => {
      const found = [];
      for (let sent = 0; sent < count; sent += 1)
        found.push((await report('[]', 'application/reports+json', address(sent))).statusCode);
      return found.filter((status) => status === 200).length;
    };
    app.clock.advance(60);
    expect(await statuses(62, () => '203.0.113.77')).toBe(60);
    const refused = await report('[]', 'application/reports+json', '203.0.113.77');
    expect(refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(refused.headers['retry-after']).toBe('60');
    expect(await statuses(545, (sent) => `203.0.${sent % 100}.1`)).toBe(540);
    app.clock.advance(60);
    expect(await statuses(1, () => '203.0.113.77')).toBe(1);
  });

  it('alone reads bodies of that type', async () => {
    const answer = await app.server.inject({
      method: 'POST',
      url: '/api/v1/users/login',
      headers: { 'content-type': 'application/csp-report', 'sec-fetch-site': 'same-origin' },
      payload: '{}',
    });
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'MEDIA_TYPE']);
  });
});
