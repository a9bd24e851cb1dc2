import { afterEach, describe, expect, it } from 'vitest';
import { inlineSource } from '#server/responses/html.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { type Message, queueMessage } from './messages.service.ts';

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kasente.example',
  DATABASE_URL: 'postgres://unused/kasente',
  SECRET_KEY: 'a secret of thirty-two characters',
};

describe('the development list of messages', () => {
  let app: TestApp;
  afterEach(() => app.close());

  async function queue(message: Partial<Message>): Promise<void> {
    const { platform } = app;
    const whole: Message = { channel: 'email', to: 'amina@example.com', subject: 'Hello', body: 'Hello.', ...message };
    await platform.db.inTransaction((change) => queueMessage(platform, change, whole));
  }

  it('is an array of every message, newest first', async () => {
    app = await createTestApp();
    expect((await app.visitor().get('/dev/messages')).body).toEqual([]);
    await queue({ subject: 'Your Kasente PIN', body: 'Kasente: your PIN is 48213.' });
    app.clock.advance(60);
    await queue({ channel: 'sms', to: '0700000001', body: 'first of the minute' });
    await queue({ channel: 'sms', to: '0700000001', body: 'second of the minute', expiresAt: app.clock.now() });
    const answer = await app.visitor().get('/dev/messages');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(answer.body).toEqual([
      {
        to: '0700000001',
        channel: 'sms',
        subject: 'Hello',
        body: 'second of the minute',
        createdAt: '2026-11-20T09:01:00.000Z',
      },
      {
        to: '0700000001',
        channel: 'sms',
        subject: 'Hello',
        body: 'first of the minute',
        createdAt: '2026-11-20T09:01:00.000Z',
      },
      {
        to: 'amina@example.com',
        channel: 'email',
        subject: 'Your Kasente PIN',
        body: 'Kasente: your PIN is 48213.',
        createdAt: '2026-11-20T09:00:00.000Z',
      },
    ]);
  });

  it('leaves nothing for a provider that is configured later', async () => {
    app = await createTestApp();
    await queue({});
    const { rows } = await app.platform.pool.query('select count(*)::int as jobs from pgboss.job');
    expect(rows).toEqual([{ jobs: 0 }]);
  });

  it('is a page for people, without a script and with every text escaped', async () => {
    app = await createTestApp();
    await queue({ to: `"><b>@example.com`, subject: '<script>alert(1)</script>', body: `R&D's <img src=x> "48213"` });
    const answer = await app.server.inject({ url: '/dev/messages' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(answer.body).toContain('R&amp;D&#39;s &lt;img src=x&gt; &quot;48213&quot;');
    expect(answer.body).toContain('&quot;&gt;&lt;b&gt;@example.com');
    expect(answer.body).not.toMatch(/<(script|img|b)\b/);
    expect(answer.body).toContain('<title>Messages | Kasente</title>');
    expect(answer.body).toContain('2026-11-20 12:00:00');
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(answer.body) ?? [];
    expect(answer.headers['content-security-policy']).toContain(`style-src 'self' ${inlineSource(style)};`);
  });

  it('shows messages that were sealed with an earlier secret', async () => {
    app = await createTestApp();
    await queue({});
    await app.platform.db
      .updateTable('messages')
      .set({ body: Buffer.alloc(64) })
      .execute();
    expect((await app.visitor().get('/dev/messages')).body).toMatchObject([{ body: '(sealed with another secret)' }]);
  });

  it('does not exist in production', async () => {
    app = await createTestApp(production);
    await queue({ body: 'Kasente: your PIN is 48213.' });
    const answer = await app.visitor().get('/dev/messages');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await app.server.inject({ url: '/dev/messages' })).body).not.toContain('48213');
  });
});
