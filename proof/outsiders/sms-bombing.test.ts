import { describe, expect, it } from 'vitest';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { bombard, mostTo } from './sms-bombing.harness.ts';

/** The text messages that a stranger can trigger, by the ledger of a stand-in for Africa's Talking. */

const TIME = { timeout: rounds(120_000, 10 * 3_600_000) };
/** Ten codes, and one link that lifts a block. */
const A_NUMBER_A_DAY = 11;
const CODES_AN_HOUR = 5;
const OVER_ALL_A_DAY = 40;
const AN_ADDRESS_A_DAY = 200;

describe('text messages', TIME, () => {
  it('to one number are limited by hour and day, from any number of addresses', async () => {
    const requests = rounds(200, 4_000);
    const sent = await bombard({ requests, numbers: 1, addresses: requests, hours: 24 });
    expect(mostTo(sent, 1)).toBeLessThanOrEqual(CODES_AN_HOUR + 1);
    const most = mostTo(sent, 24);
    expect(most).toBeGreaterThanOrEqual(10);
    expect(most).toBeLessThanOrEqual(A_NUMBER_A_DAY);
    proved(
      'sms-bombing',
      `${requests} requests for codes to one number in a day from ${requests} addresses: ${sent.length} text messages, ${mostTo(sent, 1)} at most in an hour`,
    );
  });

  it('would be found if one number got more of them (canary)', async () => {
    const requests = 80;
    const most = mostTo(await bombard({ requests, numbers: 1, addresses: requests, hours: 20, forgetful: true }), 24);
    expect(most).toBeGreaterThan(A_NUMBER_A_DAY);
    canaryFound('sms-bombing', `a server that forgets what a number was sent: ${most} in a day`);
  });

  it('of sign-ups are limited by day over all numbers and addresses', async () => {
    const requests = rounds(80, 4_000);
    const sent = await bombard({ requests, numbers: requests, addresses: requests, hours: 20, cap: OVER_ALL_A_DAY });
    expect(sent).toHaveLength(OVER_ALL_A_DAY);
    proved(
      'sms-bombing',
      `${requests} sign-ups with as many numbers from as many addresses: ${sent.length} text messages, the cap (SIGN_UP_TEXTS_A_DAY=${OVER_ALL_A_DAY})`,
    );
  });

  it('from one address are limited to a tenth of the daily total', async () => {
    const requests = rounds(20, 2_000);
    const already = rounds(AN_ADDRESS_A_DAY - 12, 0);
    const sent = await bombard({ requests, numbers: requests, addresses: 1, hours: 20, already });
    expect(sent).toHaveLength(AN_ADDRESS_A_DAY - already);
    proved(
      'sms-bombing',
      `${requests} sign-ups with as many numbers from one address in a day: ${sent.length} text messages`,
    );
  });
});
