import Fastify from 'fastify';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { AppError } from '#server/calls/app-error.ts';
import { answerFailures } from './failures.ts';

async function answerTo(error: Error) {
  const app = Fastify();
  answerFailures(app);
  app.get('/', () => {
    throw error;
  });
  const response = await app.inject('/');
  await app.close();
  return { status: response.statusCode, body: response.json(), retryAfter: response.headers['retry-after'] };
}

function withCode(code: string): Error {
  return Object.assign(new pg.DatabaseError('secret detail', 0, 'error'), { code });
}

describe('an error becomes a reply', () => {
  it('with code, message, fields and the failure’s own values', async () => {
    const error = new AppError('PIN_PENDING', {
      fields: { username: 'no' },
      extra: { userTag: 'handle', mode: 'email' },
    });
    expect(await answerTo(error)).toMatchObject({
      status: 403,
      body: {
        success: false,
        code: 'PIN_PENDING',
        msg: 'Enter the code we sent you to finish signing up',
        fields: { username: 'no' },
        userTag: 'handle',
        mode: 'email',
      },
    });
  });

  it('with Retry-After in whole seconds, at least one', async () => {
    expect((await answerTo(new AppError('CODE_COOLDOWN', { retryAfterSeconds: 59.2 }))).retryAfter).toBe('60');
    expect((await answerTo(new AppError('CODE_COOLDOWN', { retryAfterSeconds: 0 }))).retryAfter).toBe('1');
  });

  it.each([
    [41.3, 'Too many wrong codes. Try again in 42 seconds'],
    [7201, 'Too many wrong codes. Try again in 3 hours'],
  ])('says how long to wait: %s s', async (retryAfterSeconds, msg) => {
    const answer = await answerTo(new AppError('SECOND_FACTOR_THROTTLED', { retryAfterSeconds }));
    expect(answer.body).toEqual({ success: false, code: 'SECOND_FACTOR_THROTTLED', msg });
  });

  it.each(['40P01', '08006', '53300', '57P01', 'ECONNREFUSED'])(
    'with 503 and Retry-After for the transient %s',
    async (code) => {
      expect(await answerTo(withCode(code))).toMatchObject({
        status: 503,
        body: { code: 'UNAVAILABLE' },
        retryAfter: '1',
      });
    },
  );

  it.each(['23514', '22021', '42601', ''])('with 500 and no detail for our fault %s', async (code) => {
    const answer = await answerTo(withCode(code));
    expect(answer).toMatchObject({ status: 500, body: { success: false, code: 'INTERNAL' } });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });
});
