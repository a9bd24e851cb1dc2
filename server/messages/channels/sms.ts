import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { z } from 'zod';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { Config } from '#server/config/config.ts';
import { parseJson, readBounded } from '#server/machine/bounded-body.ts';
import { broken, type HandOver, loginRefused, type Outcome, type Provider, refused, unknown } from './provider.ts';

/** The connection timeout, after which the message is retried. */
const CONNECT_WITHIN_MS = 15_000;
/** A long wait pays off, because a message without a reply is not sent again. */
const ANSWER_WITHIN_MS = MINUTE_MS;
const LONGEST_ANSWER_BYTES = 64 * 1024;

/** Statuses by which a gateway reports that the service behind it may still be working. */
const NO_ANSWER = [504, 524];

/** Wrong username or key. */
const LOGIN_REFUSED = [401, 403];

/** Africa's Talking's codes for processed, sent and queued. */
const ACCEPTED = [100, 101, 102];
/** Invalid number, unsupported kind of number, blacklisted, do not disturb: a retry would not help. */
const RECIPIENT_REFUSED = [403, 404, 406, 409];

const answerSchema = z.object({
  SMSMessageData: z.object({
    Message: z.string(),
    Recipients: z.array(z.object({ statusCode: z.int(), status: z.string() })),
  }),
});

/**
 * Sends SMS through Africa's Talking. It opens a connection for each message instead of using `fetch`: if a kept-alive
 * connection breaks, the message looks as if it had arrived.
 */
export function smsProvider(sms: NonNullable<Config['sms']>): Provider {
  const url = new URL(`${sms.url.replace(/\/+$/, '')}/version1/messaging`);
  return {
    send: async (letter, handOver) => {
      const form = new URLSearchParams({
        username: sms.username,
        to: internationalNumber(letter.to),
        message: letter.body,
        ...(sms.sender === undefined ? {} : { from: sms.sender }),
      });
      return exchange(openRequest(url, sms.apiKey), form.toString(), handOver);
    },
  };
}

/** 07XXXXXXXX becomes +2567XXXXXXXX. */
function internationalNumber(number: string): string {
  return `+256${number.slice(1)}`;
}

function openRequest(url: URL, apiKey: string): ClientRequest {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return open(url, {
    method: 'POST',
    agent: false,
    headers: { apiKey, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
  });
}

/** Sends a request, handing over once connected. Node sends nothing of a request, not even headers, before `end`. */
function exchange(request: ClientRequest, form: string, handOver: HandOver): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let handedOver = false;
  const giveUp = (): unknown => request.destroy(new Error('the SMS provider took too long'));
  let timer = setTimeout(giveUp, CONNECT_WITHIN_MS);
  const submit = async (): Promise<void> => {
    handedOver = await handOver();
    clearTimeout(timer);
    timer = setTimeout(giveUp, ANSWER_WITHIN_MS);
    if (handedOver) request.end(form);
    else request.destroy(new Error('the message is no longer ours to send'));
  };
  request.on('socket', (socket) => {
    const connected = request.protocol === 'https:' ? 'secureConnect' : 'connect';
    socket.once(connected, () => void submit().catch((error) => request.destroy(error)));
  });
  request.on('error', (error) => resolve(broken(error, handedOver)));
  request.on('response', (response) => {
    readAnswer(response).then(resolve, (error) => resolve(unknown(String(error))));
  });
  return promise.finally(() => clearTimeout(timer));
}

async function readAnswer(response: IncomingMessage): Promise<Outcome> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status >= 300) {
    response.destroy();
    const reason = `the SMS provider answered ${status}`;
    if (LOGIN_REFUSED.includes(status)) return loginRefused(reason);
    const isRefusal = status >= 300 && status < 600 && !NO_ANSWER.includes(status);
    return isRefusal ? refused(reason) : unknown(reason);
  }
  const text = await readBounded(response, LONGEST_ANSWER_BYTES);
  if (text === undefined) throw new Error('the answer of the SMS provider has no end');
  const answer = answerSchema.safeParse(parseJson(text));
  if (!answer.success) return unknown(`the SMS provider answered ${status} with something unreadable`);
  const { Message: summary, Recipients: recipients } = answer.data.SMSMessageData;
  const [recipient] = recipients;
  return recipient === undefined ? refused(summary) : judge(recipient.statusCode, recipient.status);
}

function judge(statusCode: number, status: string): Outcome {
  if (ACCEPTED.includes(statusCode)) return { result: 'accepted' };
  const reason = `the SMS provider answered ${statusCode} ${status}`;
  return statusCode >= 400 ? refused(reason, RECIPIENT_REFUSED.includes(statusCode)) : unknown(reason);
}
