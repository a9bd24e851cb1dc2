import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { Config } from '#server/config/config.ts';
import { broken, type HandOver, type Letter, loginRefused, type Outcome, type Provider, refused } from './provider.ts';

/** The timeout until the server asks for the content, after which the message is retried. */
const CONNECT_WITHIN_MS = 10_000;
const HAND_OVER_WITHIN_MS = 20_000;
/** A long wait pays off, because a message without a reply is not sent again. */
const ANSWER_WITHIN_MS = 120_000;

/**
 * Sends e-mail by SMTP. It uses one connection per message, because nodemailer's `sendMail` cannot tell whether a
 * connection broke before or after the hand-over, which decides whether the message may be sent again.
 */
export function smtpProvider(smtp: NonNullable<Config['smtp']>): Provider {
  const transport = new SMTPTransport({ url: smtp.url });
  const auth = transport.getAuth({});
  return {
    send: async (letter, handOver) => {
      const mail = compose(letter, smtp.from);
      const content = handedOverFirst(await mail.build(), handOver);
      const connection = new SMTPConnection({
        requireTLS: auth !== false, // no password in clear text, unless the URL allows it
        ...transport.options,
        connectionTimeout: CONNECT_WITHIN_MS,
        greetingTimeout: CONNECT_WITHIN_MS,
        socketTimeout: ANSWER_WITHIN_MS,
        // Whatever the URL says, because a traffic log would contain the codes.
        logger: false,
        debug: false,
        transactionLog: false,
      });
      try {
        await transmit(connection, auth, mail.getEnvelope(), content);
        connection.quit();
        return { result: 'accepted' };
      } catch (error) {
        connection.close();
        return judge(error, content.handedOver());
      }
    },
  };
}

function compose(letter: Letter, from: string) {
  return new MailComposer({
    from,
    to: { name: '', address: letter.to },
    subject: letter.subject,
    text: letter.body,
    date: letter.writtenAt,
    // The same in every attempt, so that a mailbox can recognise a duplicate.
    messageId: `<${letter.tag}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }).compile();
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
}

/** The message as a stream that is read only when the server asks for it. It hands over before the first byte. */
function handedOverFirst(message: Buffer, handOver: HandOver) {
  let handedOver = false;
  async function* read() {
    handedOver = await handOver();
    if (!handedOver) throw new Error('the message is no longer ours to send');
    yield message;
  }
  return { stream: Readable.from(read(), { objectMode: false }), handedOver: () => handedOver };
}

function transmit(
  connection: SMTPConnection,
  auth: ReturnType<SMTPTransport['getAuth']>,
  envelope: Parameters<SMTPConnection['send']>[0],
  content: ReturnType<typeof handedOverFirst>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const submit = () =>
    connection.send(envelope, content.stream, (error) => {
      if (error) reject(error);
      else resolve();
    });
  connection.on('error', reject);
  connection.connect((error) => {
    if (error) reject(error);
    else if (auth && connection.allowsAuth) connection.login(auth, (failure) => (failure ? reject(failure) : submit()));
    else submit();
  });
  const giveUp = (): void => reject(new Error('the mail server took too long'));
  const timers = [
    setTimeout(() => content.handedOver() || giveUp(), HAND_OVER_WITHIN_MS),
    setTimeout(giveUp, HAND_OVER_WITHIN_MS + ANSWER_WITHIN_MS),
  ];
  return promise.finally(() => timers.forEach(clearTimeout));
}

/** Login required, too weak, wrong, or only allowed over TLS (RFC 4954, 6). */
const LOGIN_REFUSED: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/**
 * The outcome of a failed exchange. A 4xx or 5xx is a refusal at any point (RFC 5321, 4.2.1); without one, it depends
 * on how far the exchange got.
 */
function judge(error: unknown, handedOver: boolean): Outcome {
  if (error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number') {
    if (LOGIN_REFUSED.has(error.responseCode)) return loginRefused(error.message);
    const atRecipient = 'command' in error && error.command === 'RCPT TO';
    const response = 'response' in error ? String(error.response) : '';
    if (error.responseCode >= 400 && error.responseCode < 600)
      return refused(error.message, atRecipient && namesRecipient(error.responseCode, response));
  }
  return broken(error, handedOver);
}

/**
 * Whether a refusal means that the mailbox does not exist or takes no mail (RFC 3463: 5.1.x, 5.2.1). Any other refusal,
 * such as by an unknown relay, is a matter of configuration.
 */
function namesRecipient(code: number, response: string): boolean {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(response)?.[1];
  if (enhanced === undefined) return [550, 551, 553].includes(code);
  return enhanced.startsWith('5.1.') || enhanced === '5.2.1';
}
