import { expect, onTestFinished } from 'vitest';
import { HOUR_MS } from '#contract/time/durations.ts';
import { signUpForm } from '#server/accounts/accounts.harness.ts';
import { deliverMessage } from '#server/messages/channels/delivery.ts';
import { smsProvider } from '#server/messages/channels/sms.ts';
import { uniquePhone } from '#testing/builders.ts';
import { SmsGateway } from '#testing/servers/sms-gateway.ts';
import { addressOf, burstsOf, startTwoServers, type TwoServers } from './two-servers.harness.ts';

/** An attacker who triggers text messages, and the ledger of a stand-in for Africa's Talking. */

const DAY_MS = 24 * HOUR_MS;
const AT_ONCE = 20;

interface Bombardment {
  readonly requests: number;
  readonly numbers: number;
  readonly addresses: number;
  /** The hours on the held clock. */
  readonly hours: number;
  /** The daily limit for sign-up messages, if not the default. */
  readonly cap?: number;
  /** How many text messages the address's sign-ups caused earlier today. */
  readonly already?: number;
  /** The planted fault: the server forgets the messages to a number. */
  readonly forgetful?: boolean;
}

/** A text message that arrived at the gateway. */
export interface Text {
  readonly to: string;
  readonly at: number;
}

/** The most messages to one number within this many hours. */
export function mostTo(sent: readonly Text[], hours: number): number {
  const within = (last: Text) =>
    sent.filter(({ to, at }) => to === last.to && at <= last.at && last.at - at < hours * HOUR_MS).length;
  return Math.max(0, ...sent.map(within));
}

/** Makes the requests, 20 at a time, at both servers; returns the gateway's messages. */
export async function bombard(plan: Bombardment): Promise<readonly Text[]> {
  const gateway = await new SmsGateway().listen();
  onTestFinished(() => gateway.close());
  const cap: Record<string, string> = plan.cap === undefined ? {} : { SIGN_UP_TEXTS_A_DAY: String(plan.cap) };
  const two = await startTwoServers({ ...gateway.settings, ...cap });
  const { db } = two.app.platform;
  if (plan.already !== undefined) await pretendSent(two, plan.already);
  const numbers = Array.from({ length: plan.numbers }, uniquePhone);
  const handles = new Map<string, string>();
  const sent: Text[] = [];
  const bursts = burstsOf(plan.requests, AT_ONCE);
  for (const nths of bursts) {
    const statuses = await Promise.all(
      nths.map((nth) => ask(two, numbers[nth % numbers.length] ?? '', nth, addressOf(nth % plan.addresses), handles)),
    );
    expect(statuses.filter((status) => status !== 200 && status !== 422 && status !== 429)).toEqual([]);
    await deliverAll(two);
    const at = two.app.clock.now().getTime();
    sent.push(...gateway.requests.all.slice(sent.length).map(({ form }) => ({ to: form.to ?? '', at })));
    if (plan.forgetful === true) await db.deleteFrom('code_budgets').execute();
    two.app.clock.advance((plan.hours * 3600) / bursts.length);
  }
  return sent;
}

/** Signs a number up; then in turn requests a new PIN, requests a reset, enters a wrong PIN and signs up again. */
async function ask(two: TwoServers, phone: string, nth: number, address: string, handles: Map<string, string>) {
  const userTag = handles.get(phone);
  const call = (path: string, body: unknown) => two.call({ path, body, address });
  if (userTag !== undefined) {
    if (nth % 4 === 1) return (await call('/users/resend_pin', { userTag })).status;
    if (nth % 4 === 2) return (await call('/reset_password/request', { username: phone })).status;
    if (nth % 4 === 3) return (await call('/users/verify_username', { userTag, pin: '00000' })).status;
  }
  const { status, body } = await call('/users/register', signUpForm(phone));
  if (status === 200) handles.set(phone, body.userTag);
  return status;
}

/** Sends the waiting messages, as the workers do. */
async function deliverAll({ app }: TwoServers): Promise<void> {
  const { sms } = app.platform.config;
  if (sms === undefined) throw new Error('the settings name no provider');
  const provider = smsProvider(sms);
  const waiting = await app.platform.db.selectFrom('messages').where('state', '=', 'queued').select('id').execute();
  await Promise.all(waiting.map(({ id }) => deliverMessage(app.platform, provider, id)));
}

/** Records that the first address's sign-ups caused this many text messages today. */
async function pretendSent({ app }: TwoServers, points: number): Promise<void> {
  const expire = app.clock.now().getTime() + DAY_MS;
  await app.platform.db
    .insertInto('address_limits')
    .values({ key: `day:sign-up-texts:${addressOf(0)}`, points, expire })
    .execute();
}
