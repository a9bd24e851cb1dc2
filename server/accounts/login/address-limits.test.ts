import { describe, expect, it } from 'vitest';
import { HOUR_MS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { doReset, enterPin, newestCode, newPhone, register, requestReset } from '#server/accounts/accounts.harness.ts';
import { appOfFile } from '#testing/test-app.ts';
import { createAddressLimits } from './address-limits.ts';

const app = appOfFile();

/** Counts calls of a kind for the address in this hour. */
async function pretendSpent(limited: string, points: number, address = '127.0.0.1'): Promise<void> {
  const row = { key: `hour:${limited}:${address}`, points, expire: app.clock.now().getTime() + HOUR_MS };
  await app.platform.db
    .insertInto('address_limits')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}

describe('the limits of an address', () => {
  it('are hundreds an hour', async () => {
    await pretendSpent('register', 599);
    expect((await register(app, newPhone())).status).toBe(200);
    const answer = await register(app, newPhone());
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      success: false,
      msg: 'Too many requests from here. Try again in 60 minutes',
      code: 'TOO_MANY_REQUESTS',
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3500);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(HOUR_SECONDS);
    await pretendSpent('register', 0);
  });

  it('apply to requests for a reset and for a new PIN', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    app.clock.advance(60);
    await pretendSpent('request-reset', 600);
    await pretendSpent('resend-pin', 600);
    expect((await requestReset(app, phone)).body.code).toBe('TOO_MANY_REQUESTS');
    expect((await app.visitor().post('/users/resend_pin', { userTag: body.userTag })).body.code).toBe(
      'TOO_MANY_REQUESTS',
    );
    expect((await enterPin(app, body.userTag, await newestCode(app, phone))).status).toBe(200);
    await pretendSpent('request-reset', 0);
    await pretendSpent('resend-pin', 0);
  });

  it('do not apply to the last step of a reset, which a handle of 256 bits protects', async () => {
    for (const limited of ['register', 'request-reset', 'resend-pin']) await pretendSpent(limited, 600);
    expect((await doReset(app, 'x'.repeat(43))).body.code).toBe('RESET_ENDED');
    for (const limited of ['register', 'request-reset', 'resend-pin']) await pretendSpent(limited, 0);
  });

  it('restart when the hour is over, by the same clock as every other rule', async () => {
    const limits = createAddressLimits(app.platform, { anHour: 2 });
    const address = '192.0.2.9';
    await limits.spend('register', address);
    app.clock.advance(1800);
    await limits.spend('register', address);
    app.clock.advance(1799);
    await expect(limits.spend('register', address)).rejects.toMatchObject({ details: { retryAfterSeconds: 1 } });
    app.clock.advance(1);
    await limits.spend('register', address);
    await limits.spend('register', address);
    await expect(limits.spend('register', address)).rejects.toMatchObject({
      details: { retryAfterSeconds: HOUR_SECONDS },
    });
  });

  it('also apply per day', async () => {
    const limits = createAddressLimits(app.platform, { anHour: 2, aDay: 3 });
    const address = '192.0.2.10';
    await limits.spend('register', address);
    await limits.spend('register', address);
    app.clock.advance(HOUR_SECONDS);
    await limits.spend('register', address);
    await expect(limits.spend('register', address)).rejects.toMatchObject({ details: { retryAfterSeconds: 82_800 } });
    app.clock.advance(82_800);
    await limits.spend('register', address);
  });

  it('are shared by all server processes, and exact for concurrent calls', async () => {
    const ten = { anHour: 10 };
    const [one, other] = [createAddressLimits(app.platform, ten), createAddressLimits(app.platform, ten)];
    const spends = Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? one : other).spend('register', '192.0.2.7'),
    );
    const outcomes = await Promise.allSettled(spends);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(one.spend('register', '192.0.2.8')).resolves.toBeUndefined();
    await expect(one.spend('resend-pin', '192.0.2.7')).resolves.toBeUndefined();
  });
});
