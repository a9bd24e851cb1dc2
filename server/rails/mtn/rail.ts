import { z } from 'zod';
import type { Direction, Order, RailKind } from '#server/rail-port/rail.ts';
import { nationalNumber, notWhole, plainNote, wholeUnits } from '#server/rails/order-fields.ts';
import { type MtnClient, mtnClient } from './client.ts';
import { type MtnSettings, type ProductName, readMtnSettings, settings } from './settings.ts';
import { askedAnswer, holderName, inactiveHolder, sentAnswer } from './states.ts';

/** The only currency of MTN's sandbox. */
const SANDBOX_CURRENCY = 'EUR';

const parties = { disbursement: 'payee', collection: 'payer' } as const satisfies Record<ProductName, string>;

/** The number with the country code, which a test number of MTN's sandbox (46733123450) already has. */
function msisdn(number: string): string {
  return number.startsWith('0') ? `256${nationalNumber(number)}` : number;
}

/**
 * `externalId` is our reference, because a callback identifies the order only by it. The repayment reference is in the
 * notes, which people read.
 */
function orderBody(product: ProductName, order: Order, units: number, { environment }: MtnSettings) {
  const note = plainNote(`Kasente ${order.label}`);
  return {
    amount: String(units),
    currency: environment === 'sandbox' ? SANDBOX_CURRENCY : order.currency,
    externalId: order.reference,
    [parties[product]]: { partyIdType: 'MSISDN', partyId: msisdn(order.number) },
    payerMessage: note,
    payeeNote: note,
  };
}

function direction(product: ProductName, client: MtnClient, mtn: MtnSettings): Direction {
  return {
    async send(order, signal) {
      const units = wholeUnits(order);
      if (units === undefined) return notWhole;
      const body = orderBody(product, order, units, mtn);
      return sentAnswer(await client.send(order.reference, body, signal), client.words);
    },
    async ask(reference, signal) {
      return askedAnswer(product, await client.ask(reference, signal), client.words);
    },
  };
}

const callbackSchema = z.object({ externalId: z.guid() });

/** MTN mobile money. */
export const rail: RailKind = {
  id: 'mtn',
  name: 'MTN mobile money',
  provider: 'mtn',
  currencies: ['UGX'],
  // UGX 5,000,000 a transaction for most wallets, medium confidence; no documented minimum.
  request: { usualMost: 500_000_000 },
  settings,
  open(env, ground) {
    const mtn = readMtnSettings(env);
    if (mtn === undefined) return undefined;
    const disbursement = mtnClient('disbursement', mtn, ground);
    return {
      payout: direction('disbursement', disbursement, mtn),
      collection: direction('collection', mtnClient('collection', mtn, ground), mtn),
      async holder(number, signal) {
        const inactive = inactiveHolder(
          await disbursement.holder(msisdn(number), 'active', signal),
          disbursement.words,
        );
        if (inactive !== undefined) return inactive;
        return {
          state: 'active',
          name: holderName(await disbursement.holder(msisdn(number), 'basicuserinfo', signal)),
        };
      },
      callbackReference: (body) => callbackSchema.safeParse(body).data?.externalId.toLowerCase(),
    };
  },
};
