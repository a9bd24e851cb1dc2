import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { SmsGateway, smsAnswer } from '#testing/servers/sms-gateway.ts';
import { testCertificate, trustTestCertificate } from '#testing/servers/test-certificate.ts';
import type { HandOver, Letter } from './provider.ts';
import { smsProvider } from './sms.ts';

const letter: Letter = {
  tag: '0d9a7c1e-5c0e-4f0e-9a57-3f1f6f1f2a11',
  to: '0700000001',
  subject: 'Your Kasente PIN',
  body: 'Kasente: your PIN is 48213. 90 % & more = ✓',
  writtenAt: new Date('2026-11-20T09:00:00Z'),
};

const handOver: HandOver = () => Promise.resolve(true);
const never: HandOver = () => Promise.reject(new Error('must not be asked'));

function send(gateway: SmsGateway, allowed = handOver, settings: Record<string, string> = gateway.settings) {
  const { sms } = readConfig({ DEMONSTRATION: 'others', ...settings });
  if (sms === undefined) throw new Error('the settings name no provider');
  return smsProvider(sms).send(letter, allowed);
}

describe('smsProvider', () => {
  let gateway: SmsGateway;
  beforeEach(async () => {
    gateway = await new SmsGateway().listen();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await gateway.close();
  });

  it('posts the message as Africa’s Talking wants it', async () => {
    expect(await send(gateway)).toEqual({ result: 'accepted' });
    const [request] = gateway.requests.all;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/version1/messaging',
      form: { username: 'kasente', to: '+256700000001', message: letter.body, from: 'KASENTE' },
      headers: {
        apikey: 'atsk_secret',
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
  });

  it('leaves the sender out where there is none', async () => {
    const { SMS_SENDER: _, ...settings } = gateway.settings;
    await send(gateway, handOver, settings);
    expect(gateway.requests.all[0]?.form).not.toHaveProperty('from');
  });

  it('works over TLS, and tells nobody whose certificate is not trusted', async () => {
    const secure = await new SmsGateway(testCertificate).listen();
    expect(await send(secure, never)).toMatchObject({ result: 'refused', forGood: false });
    expect(secure.requests.all).toEqual([]);
    trustTestCertificate();
    expect(await send(secure)).toEqual({ result: 'accepted' });
    await secure.close();
  });

  it('hands over before anything is sent', async () => {
    const order: string[] = [];
    gateway.answer = () => {
      order.push('received');
      return smsAnswer(101, 'Success');
    };
    await send(gateway, async () => {
      order.push('handed over');
      return true;
    });
    expect(order).toEqual(['handed over', 'received']);
  });

  it('sends nothing where the message may not be handed over', async () => {
    expect(await send(gateway, async () => false)).toMatchObject({ result: 'refused', forGood: false });
    expect(gateway.requests.all).toEqual([]);
  });

  it('sends nothing where the hand-over could not be recorded', async () => {
    const outcome = await send(gateway, () => Promise.reject(new Error('the database is away')));
    expect(outcome).toEqual({ result: 'refused', reason: 'the database is away', forGood: false });
    expect(gateway.requests.all).toEqual([]);
  });

  it.each([100, 101, 102])('takes status code %i as accepted', async (code) => {
    gateway.answer = () => smsAnswer(code, 'Success');
    expect(await send(gateway)).toEqual({ result: 'accepted' });
  });

  it.each([
    [401, 'RiskHold', false],
    [402, 'InvalidSenderId', false],
    [403, 'InvalidPhoneNumber', true],
    [404, 'UnsupportedNumberType', true],
    [405, 'InsufficientBalance', false],
    [406, 'UserInBlacklist', true],
    [407, 'CouldNotRoute', false],
    [409, 'DoNotDisturbRejection', true],
    [500, 'InternalServerError', false],
    [501, 'GatewayError', false],
    [502, 'RejectedByGateway', false],
  ])('takes status code %i %s as a refusal; for good: %s', async (code, status, forGood) => {
    gateway.answer = () => smsAnswer(code, status);
    expect(await send(gateway)).toEqual({
      result: 'refused',
      reason: `the SMS provider answered ${code} ${status}`,
      forGood,
    });
  });

  it('takes an answer without a recipient as a refusal with its reason', async () => {
    gateway.answer = () => ({
      status: 201,
      body: { SMSMessageData: { Message: 'InvalidSenderId', Recipients: [] } },
    });
    expect(await send(gateway)).toEqual({ result: 'refused', reason: 'InvalidSenderId', forGood: false });
  });

  it.each([401, 403])('takes HTTP %i as a login that is refused', async (status) => {
    gateway.answer = () => ({ status, body: 'The supplied authentication is invalid' });
    expect(await send(gateway)).toEqual({
      result: 'refused',
      reason: `the SMS provider answered ${status}`,
      forGood: false,
      loginRefused: true,
    });
  });

  it.each([302, 400, 429, 500, 502, 503])('takes HTTP %i as a refusal that may heal', async (status) => {
    gateway.answer = () => ({ status, body: 'no' });
    expect(await send(gateway)).toEqual({
      result: 'refused',
      reason: `the SMS provider answered ${status}`,
      forGood: false,
    });
  });

  it.each([504, 524, 600, 999])('does not know what HTTP %i means for the message', async (status) => {
    gateway.answer = () => ({ status, body: 'no' });
    expect(await send(gateway)).toMatchObject({ result: 'unknown' });
  });

  it.each([
    ['an answer of another shape', { status: 201, body: { ok: true } }],
    ['an unknown status code', smsAnswer(7, 'Perhaps')],
    ['an answer without an end', { status: 201, body: 'x'.repeat(100_000) }],
    ['a connection that breaks', 'break' as const],
  ])('does not know what became of a message after %s', async (_what, answer) => {
    gateway.answer = () => answer;
    expect(await send(gateway)).toMatchObject({ result: 'unknown' });
    expect(gateway.requests.all).toHaveLength(1);
  });

  it('gives a connection 15 seconds and an answer a minute', async () => {
    const silent = createServer().listen(0, 'localhost');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const connected = once(silent, 'connection');
    const early = send(gateway, never, { ...gateway.settings, SMS_URL: `https://localhost:${port}` });
    const [socket] = await connected;
    vi.advanceTimersByTime(15_000);
    expect(await early).toEqual({ result: 'refused', reason: 'the SMS provider took too long', forGood: false });
    socket.destroy();
    silent.close();
    gateway.answer = () => new Promise(() => undefined);
    const late = send(gateway);
    await gateway.requests.reached(1);
    vi.advanceTimersByTime(59_999);
    const undecided = await Promise.race([late, new Promise((resolve) => setImmediate(resolve, 'undecided'))]);
    expect(undecided).toBe('undecided');
    vi.advanceTimersByTime(1);
    expect(await late).toEqual({ result: 'unknown', reason: 'the SMS provider took too long' });
  });

  it('has not handed over what never reached a server', async () => {
    await gateway.close();
    const outcome = await send(gateway, never);
    expect(outcome).toMatchObject({ result: 'refused', forGood: false });
    expect(outcome).toHaveProperty('reason', expect.stringContaining('ECONNREFUSED'));
  });
});
