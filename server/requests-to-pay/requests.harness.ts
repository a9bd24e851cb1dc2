import type { PayNowReply } from '#contract/requests-to-pay/schema.ts';
import { type PayableCase, succeed } from '#testing/case-builders.ts';
import type { Answer } from '#testing/test-app.ts';

/** Requests to pay, over HTTP. */

/** The default body: a part of what is owed, from a typed number. */
export const PAY_NOW = { amount: 1_000, wallet: 'other', number: '0772 345 678' } as const;

/** What a client can pay now, and their requests so far. */
export async function payNowOf({ client, tag }: Pick<PayableCase, 'client' | 'tag'>): Promise<PayNowReply> {
  return (await succeed(client.caller.get(`/applications/${tag}/pay_now`))).body;
}

/** Asks a phone to pay. */
export function ask(
  { client, tag }: Pick<PayableCase, 'client' | 'tag'>,
  change: object = {},
  headers?: Record<string, string>,
): Promise<Answer> {
  return client.caller.post(`/applications/${tag}/pay_now`, { ...PAY_NOW, ...change }, headers);
}
