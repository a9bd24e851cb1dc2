import type { PayNowReply } from '#contract/requests-to-pay/schema.ts';
import { type PayableCase, succeed } from '#server/testing/case-builders.ts';
import type { Answer } from '#server/testing/test-app.ts';

/** Requests to pay, over HTTP. */

/** What is asked for: a part, from a phone that is typed. */
export const PAY_NOW = { amount: 1_000, wallet: 'other', number: '0772 345 678' } as const;

/** What a client may pay now, and what became of it. */
export async function payNowOf({ client, tag }: Pick<PayableCase, 'client' | 'tag'>): Promise<PayNowReply> {
  return (await succeed(client.caller.get(`/applications/${tag}/pay_now`))).body;
}

/** Has a phone asked. */
export function ask(
  { client, tag }: Pick<PayableCase, 'client' | 'tag'>,
  change: object = {},
  headers?: Record<string, string>,
): Promise<Answer> {
  return client.caller.post(`/applications/${tag}/pay_now`, { ...PAY_NOW, ...change }, headers);
}
