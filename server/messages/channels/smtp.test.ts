import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MailServer } from '#testing/servers/mail-server.ts';
import { testCertificate, trustTestCertificate } from '#testing/servers/test-certificate.ts';
import type { Letter } from './provider.ts';
import { smtpProvider } from './smtp.ts';

const from = 'Kasente <no-reply@kasente.test>';

const letter: Letter = {
  tag: '0d9a7c1e-5c0e-4f0e-9a57-3f1f6f1f2a11',
  to: 'amina@example.com',
  subject: 'Ssebo, omusango guwedde: 90 % ✓',
  body: 'Kasente: your PIN is 48213.\nGive it to nobody – ever.\n.\nA line of one dot stands above.',
  writtenAt: new Date('2026-11-20T09:00:00Z'),
};

const handOver = () => Promise.resolve(true);

describe('smtpProvider', () => {
  let mail: MailServer;
  beforeEach(async () => {
    mail = await new MailServer().listen();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await mail.close();
  });

  const send = (allowed = handOver) => smtpProvider({ url: mail.url, from }).send(letter, allowed);

  it('sends the message as it was written', async () => {
    expect(await send()).toEqual({ result: 'accepted' });
    const [received] = mail.mails.all;
    expect(received).toMatchObject({
      from: { name: 'Kasente', address: 'no-reply@kasente.test' },
      to: [{ address: 'amina@example.com' }],
      subject: letter.subject,
      messageId: '<0d9a7c1e-5c0e-4f0e-9a57-3f1f6f1f2a11@kasente.test>',
      date: '2026-11-20T09:00:00.000Z',
    });
    expect(received?.text?.trimEnd()).toBe(letter.body);
    expect(received?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    expect(mail.recipients.all).toEqual(['amina@example.com']);
  });

  it('keeps a recipient one recipient, whatever is in the address', async () => {
    const to = 'amina@example.com, eve@example.com';
    await smtpProvider({ url: mail.url, from }).send({ ...letter, to }, handOver);
    expect(mail.recipients.all).not.toContain('eve@example.com');
  });

  it('gives a password to nobody who cannot encrypt, and sends nothing then', async () => {
    const url = mail.url.replace('//', '//kasente:secret@');
    expect(await smtpProvider({ url, from }).send(letter, handOver)).toMatchObject({
      result: expect.not.stringMatching('accepted'),
    });
    expect([mail.logins, mail.recipients.all]).toEqual([[], []]);
    // Within a private network, the URL may allow it.
    expect(await smtpProvider({ url: `${url}?requireTLS=false`, from }).send(letter, handOver)).toEqual({
      result: 'accepted',
    });
    expect(mail.logins).toEqual(['kasente:secret']);
  });

  it('logs in over TLS with the user and password of the URL', async () => {
    trustTestCertificate();
    const secure = await new MailServer({ secure: true, ...testCertificate, authOptional: false }).listen();
    const url = `smtps://kasente%40example.com:s%C3%A9cret@localhost:${secure.port}`;
    expect(await smtpProvider({ url, from }).send(letter, handOver)).toEqual({ result: 'accepted' });
    expect(secure.logins).toEqual(['kasente@example.com:sécret']);
    await secure.close();
  });

  it.each([
    [535, '5.7.8 Authentication credentials invalid'],
    [534, '5.7.9 Authentication mechanism is too weak'],
  ])('tells a login that is refused with %i from other refusals', async (code, text) => {
    mail.onLogin = () => ({ code, text });
    const url = `${mail.url.replace('//', '//kasente:secret@')}?requireTLS=false`;
    const outcome = await smtpProvider({ url, from }).send(letter, handOver);
    expect(outcome).toMatchObject({ result: 'refused', forGood: false, loginRefused: true });
    expect(outcome).toHaveProperty('reason', expect.stringContaining(String(code)));
    expect(mail.recipients.all).toEqual([]);
  });

  it('hands over after the recipient was taken, and before a byte of the content is sent', async () => {
    const order: string[] = [];
    mail.onRecipient = () => void order.push('recipient taken');
    mail.onContent = () => void order.push('content received');
    await send(async () => {
      order.push('handed over');
      return true;
    });
    expect(order).toEqual(['recipient taken', 'handed over', 'content received']);
  });

  it('sends nothing where the message may not be handed over', async () => {
    expect(await send(async () => false)).toMatchObject({ result: 'refused', forGood: false });
    expect(mail.contents.all).toEqual([]);
  });

  it('sends nothing where the hand-over could not be recorded', async () => {
    const outcome = await send(() => Promise.reject(new Error('the database is away')));
    expect(outcome).toEqual({ result: 'refused', reason: 'the database is away', forGood: false });
    expect(mail.contents.all).toEqual([]);
  });

  it.each([
    [550, '5.1.1 no such user', true],
    [550, 'no such user', true],
    [550, '5.2.1 mailbox disabled', true],
    [550, '5.7.1 relaying denied', false],
    [554, '5.7.1 relaying denied', false],
    [450, '4.2.1 try again later', false],
    [451, '4.3.0 try again later', false],
  ])('takes %i %s at the recipient as a refusal; for good: %s', async (code, text, forGood) => {
    mail.onRecipient = () => ({ code, text });
    const outcome = await send();
    expect(outcome).toMatchObject({ result: 'refused', forGood });
    expect(outcome).toHaveProperty('reason', expect.stringContaining(text));
    expect(mail.contents.all).toEqual([]);
  });

  it.each([451, 554])('takes %i after the content as a refusal that may heal', async (code) => {
    mail.onContent = () => ({ code, text: 'not now' });
    expect(await send()).toMatchObject({ result: 'refused', forGood: false });
    expect(mail.mails.all).toEqual([]);
  });

  it('does not know what became of a message when the connection breaks after the content', async () => {
    mail.onContent = () => 'break';
    expect(await send()).toEqual({ result: 'unknown', reason: 'Connection closed unexpectedly' });
    expect(mail.contents.all).toHaveLength(1);
  });

  it('does not know what a number that is no code means for a message', async () => {
    mail.onContent = () => ({ code: 999, text: 'taken, or not' });
    expect(await send()).toMatchObject({ result: 'unknown' });
  });

  it('has not handed over what never reached a server', async () => {
    await mail.close();
    const outcome = await send(() => Promise.reject(new Error('must not be asked')));
    expect(outcome).toMatchObject({ result: 'refused', forGood: false });
    expect(outcome).toHaveProperty('reason', expect.stringContaining('ECONNREFUSED'));
  });

  it('gives a server that falls silent 20 seconds before the hand-over, and two minutes after it', async () => {
    // Leaves other timers real, so that the mail server's own pauses continue.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const asked = vi.fn(handOver);
    mail.onRecipient = () => new Promise(() => undefined);
    const early = send(asked);
    await mail.recipients.reached(1);
    vi.advanceTimersByTime(20_000);
    expect(await early).toEqual({ result: 'refused', reason: 'the mail server took too long', forGood: false });
    expect(asked).not.toHaveBeenCalled();
    mail.onRecipient = () => undefined;
    mail.onContent = () => new Promise(() => undefined);
    const late = send(asked);
    await mail.contents.reached(1);
    vi.advanceTimersByTime(125_000);
    const undecided = await Promise.race([late, new Promise((resolve) => setImmediate(resolve, 'undecided'))]);
    expect(undecided).toBe('undecided');
    vi.advanceTimersByTime(15_000);
    expect(await late).toEqual({ result: 'unknown', reason: 'the mail server took too long' });
  });

  it('keeps codes and tokens out of the reason that a server gives', async () => {
    const token = 'x9'.repeat(21);
    mail.onContent = () => ({ code: 554, text: `refused: "your PIN is 48213" /reset-password#${token}` });
    const outcome = await send();
    expect(JSON.stringify(outcome)).not.toMatch(/48213|x9x9/);
    expect(outcome).toHaveProperty('reason', expect.stringContaining('your PIN is #####'));
  });
});
