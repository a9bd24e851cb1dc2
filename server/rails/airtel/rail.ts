import { z } from 'zod';
import { type Direction, FOUND_WITHIN_MS, type Order, type RailKind } from '#server/rail-port/rail.ts';
import { nationalNumber, notWhole, plainNote, wholeUnits } from '#server/rails/order-fields.ts';
import { type AirtelClient, airtelClient, COUNTRY, CURRENCY } from './client.ts';
import { readAirtelSettings, settings } from './settings.ts';
import { askedAnswer, holderAnswer, type ProductName, sentAnswer } from './states.ts';

/** A reference as a transaction id: only letters and digits, which all of Airtel's pages allow. */
function transactionId(reference: string): string {
  return reference.replaceAll('-', '').toLowerCase();
}

/** The reference of a transaction id. */
function referenceOf(id: string): string {
  return id.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

type Body = (order: Order, units: number) => Readonly<Record<string, unknown>>;

/**
 * The repayment reference, which people know, without the separators: Airtel's `reference` allows only letters and
 * digits.
 */
function reference({ label }: Order): string {
  return plainNote(label).replaceAll(' ', '');
}

function bodies({ encryptedPin }: AirtelClient): Readonly<Record<ProductName, Body>> {
  return {
    disbursement: (order, amount) => ({
      payee: { msisdn: nationalNumber(order.number) },
      reference: reference(order),
      pin: encryptedPin,
      transaction: { amount, id: transactionId(order.reference) },
    }),
    collection: (order, amount) => ({
      reference: reference(order),
      subscriber: { country: COUNTRY, currency: CURRENCY, msisdn: nationalNumber(order.number) },
      transaction: { amount, country: COUNTRY, currency: CURRENCY, id: transactionId(order.reference) },
    }),
  };
}

function direction(product: ProductName, client: AirtelClient, body: Body): Direction {
  return {
    async send(order, signal) {
      const units = wholeUnits(order);
      if (units === undefined) return notWhole;
      const reply = await client.send(product, body(order, units), signal);
      return sentAnswer(product, reply, transactionId(order.reference), client.words);
    },
    async ask(orderReference, signal) {
      const id = transactionId(orderReference);
      return askedAnswer(product, await client.ask(product, id, signal), id, client.words);
    },
  };
}

const callbackSchema = z.object({ transaction: z.object({ id: z.string().regex(/^[0-9a-f]{32}$/i) }) });

/** Airtel Money. */
export const rail: RailKind = {
  id: 'airtel',
  name: 'Airtel Money',
  provider: 'airtel',
  currencies: [CURRENCY],
  findsWithinMs: FOUND_WITHIN_MS,
  // UGX 500 to 5,000,000 according to the integration team's test cases (docs/decisions/0049-providers.md); medium
  // confidence.
  request: { least: 50_000, usualMost: 500_000_000 },
  settings,
  open(env, ground) {
    const airtel = readAirtelSettings(env);
    if (airtel === undefined) return undefined;
    const client = airtelClient(airtel, ground);
    const body = bodies(client);
    return {
      payout: direction('disbursement', client, body.disbursement),
      collection: direction('collection', client, body.collection),
      async holder(number, signal) {
        return holderAnswer(await client.user(nationalNumber(number), signal), client.words);
      },
      callbackReference(sent) {
        const id = callbackSchema.safeParse(sent).data?.transaction.id;
        return id === undefined ? undefined : referenceOf(id);
      },
    };
  },
};
