import type { PayNowReply } from '#contract/requests-to-pay/schema.ts';
import { type PayableCase, succeed } from '#testing/case-builders.ts';
import type { Answer } from '#testing/test-app.ts';

/** Calls for the tests of requests to pay, over HTTP. */

/** The default body: part of the debt, from a typed number. */
export const PAY_NOW = { amount: 1_000, wallet: 'other', number: '0772 345 678' } as const;

/** The options for paying now, and the requests so far, as the client sees them. */
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
