import { referenceOf } from '#server/statements/statements.harness.ts';
import { bySystem, transfersOf } from '#server/transfers/transfers.harness.ts';
import { call } from '#simulators/ground/calls.harness.ts';
import { acknowledgeFlags, succeed } from '#testing/case-builders.ts';
import { prepare, release } from '#testing/payout-builders.ts';
import type { Answer } from '#testing/test-app.ts';
import { type PaidCase, type RailId, type RailsWorld, rails } from './rails.harness.ts';

/** The steps of a payment in one direction, out or in. */

interface DirectionRow {
  /** The simulators' name of the operation. */
  readonly operation: 'transfer' | 'request';
  /** The steps before the order. */
  prepare(built: PaidCase): Promise<unknown>;
  /** Sends the order: the transfer and its reference are stored. */
  order(built: PaidCase): Promise<Answer>;
  /** Whether it needs an answer on a phone to settle. */
  readonly needsPhone: boolean;
  /** The audit event of a completed payment. */
  readonly news: string;
}

/** A client's repayment by phone. */
const PAID_BACK = 300_000;

/**
 * Tries again after an officer has acknowledged the flag of an account whose provider took too long to name its holder.
 */
async function answered({ payer, tag }: PaidCase, attempt: () => Promise<Answer>): Promise<Answer> {
  const answer = await attempt();
  if (answer.body.code !== 'FLAG_OPEN') return answer;
  await acknowledgeFlags(payer, tag);
  return attempt();
}

export const directions = {
  out: {
    operation: 'transfer',
    needsPhone: false,
    news: 'payout.paid',
    prepare: (built) => succeed(answered(built, () => prepare(built.officer, built.tag))),
    order: (built) => answered(built, () => release(built.payer, built.tag, bySystem)),
  },
  in: {
    operation: 'request',
    needsPhone: true,
    news: 'request.paid',
    prepare: () => Promise.resolve(),
    order: ({ client, tag, msisdn }) => {
      const wallet = { wallet: 'other', number: `0${msisdn.slice(3)}` };
      return client.caller.post(`/applications/${tag}/pay_now`, { amount: PAID_BACK, ...wallet });
    },
  },
} as const satisfies Record<string, DirectionRow>;
export type DirectionId = keyof typeof directions;

/** The newest transfer of a case in a direction. */
export async function transferOf(world: RailsWorld, built: PaidCase, direction: DirectionId) {
  return (await transfersOf(world.app, built)).findLast((row) => row.direction === direction);
}
export type TransferOf = NonNullable<Awaited<ReturnType<typeof transferOf>>>;

/** The provider's own record of a transfer, if it has one. */
export async function transactionOf(world: RailsWorld, rail: RailId, { reference }: Pick<TransferOf, 'reference'>) {
  const { transactions } = await world.providers[rail].book();
  return transactions.find(({ id }) => id === rails[rail].idOf(reference));
}

/** All steps until the transfer is ordered. */
export async function order(built: PaidCase, direction: DirectionId): Promise<void> {
  await directions[direction].prepare(built);
  await succeed(directions[direction].order(built));
}

/** Finishes an order that a kill interrupted. */
export async function orderRest(world: RailsWorld, built: PaidCase, direction: DirectionId): Promise<void> {
  if ((await transferOf(world, built, direction)) !== undefined) return;
  const { db } = world.app.platform;
  const prepared = await db.selectFrom('payouts').where('invoice_id', '=', built.id).select('id').executeTakeFirst();
  if (prepared === undefined) await directions[direction].prepare(built);
  await succeed(directions[direction].order(built));
}

/** Approves a case's open request on its phone. */
export async function approve(world: RailsWorld, built: PaidCase): Promise<void> {
  const transfer = await transferOf(world, built, 'in');
  if (transfer === undefined || transfer.known_at !== null) return;
  await approveOnPhone(world, transfer);
}

/** Approves a request on its phone. */
export async function approveOnPhone(
  world: RailsWorld,
  { rail, number, reference }: { readonly rail: string; readonly number: string; readonly reference: string },
): Promise<void> {
  const id = rail === 'airtel' ? 'airtel' : 'mtn';
  const { idOf, pin } = rails[id];
  const phone = `${world.providers[id].process.url}/phone/256${number.slice(1)}`;
  await call('POST', `${phone}/requests/${idOf(reference)}`, { body: `answer=approve&pin=${pin}` });
}

/** A client's unrequested payment. */
const UNASKED = 100_000;

/** The client of a case makes an unrequested payment under the repayment reference, unless they did so before. */
export async function payUnasked(world: RailsWorld, built: PaidCase): Promise<void> {
  const { rail, msisdn } = built;
  const { transactions } = await world.providers[rail].book();
  if (transactions.some((one) => one.kind === 'payment' && one.msisdn === msisdn)) return;
  const payment = { pin: rails[rail].pin, amount: String(UNASKED), reference: await referenceOf(world.app, built) };
  const phone = `${world.providers[rail].process.url}/phone/${msisdn}`;
  const { status, text } = await call('POST', `${phone}/payments`, { body: new URLSearchParams(payment).toString() });
  if (status !== 200) throw new Error(`the phone says: ${text}`);
}
