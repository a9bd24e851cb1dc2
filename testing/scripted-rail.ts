import type { Refusal } from '#contract/transfers/refusals.ts';
import type { Answer, Direction, Holder, Order, RailKind } from '#server/rail-port/rail.ts';
import { openRails, type Rails } from '#server/rails/open-rails.ts';

/**
 * A provider with scripted answers and its own book of what was really paid. It accepts a reference once, as providers
 * do, and answers from the book when asked, unless the script says otherwise.
 */

/**
 * The result of a send: `lost` is executed but not answered; `dropped` never arrived; `hangs` until the caller gives
 * up. A refusal is entered in the book; `unbooked` leaves the order out of it. `untrue` refuses an order but executes
 * it.
 */
type Sending =
  | 'taken'
  | 'paid'
  | 'lost'
  | 'dropped'
  | 'throws'
  | 'hangs'
  | Refusal
  | { readonly refused: Refusal; readonly how: 'unbooked' | 'untrue' };

export const unbooked = { refused: 'misconfigured', how: 'unbooked' } as const satisfies Sending;
export const untrue = { refused: 'insufficientFloat', how: 'untrue' } as const satisfies Sending;
type Asking = 'book' | 'pending' | 'ambiguous' | 'lost' | 'notFound' | 'throws';

interface Booked {
  readonly order: Order;
  fate: 'waiting' | 'paid' | Refusal;
}

const UNKNOWN = { state: 'unknown', said: 'No answer', isSilent: true } as const;

export class ScriptedProvider {
  /** By reference. */
  readonly book = new Map<string, Booked>();
  readonly calls: string[] = [];
  /** The results of the next sends; after those, `taken` and an entry in the book. */
  sending: Sending[] = [];
  asking: Asking[] = [];
  /** What happens to an order once the provider is asked about it. */
  fate: Booked['fate'] = 'paid';
  /** The holder of any number; by default, the name on the accounts that tests build. */
  holder: () => Holder | Promise<Holder> = () => ({ state: 'active', name: 'NABIRYE SARAH' });
  /** The numbers that it was asked about. */
  readonly askedFor: string[] = [];
  /** For how long it may not find an order sent to it. */
  findsWithinMs = 0;
  /** The provider's own number for a payment. */
  numberOf = (reference: string): string => `MP${reference.slice(0, 8)}`;

  /** The amount that it says it paid, if it says one. */
  amountOf: (reference: string) => number | undefined = () => undefined;

  send = async (order: Order, signal: AbortSignal): Promise<Answer> => {
    this.calls.push(`send ${order.reference}`);
    const next = this.sending.shift() ?? 'taken';
    if (typeof next === 'object') {
      if (next.how === 'untrue') this.#take(order);
      return { state: 'failed', refusal: next.refused, said: next.refused };
    }
    switch (next) {
      case 'dropped':
        return UNKNOWN;
      case 'throws':
        throw new Error('a fault of the rail');
      case 'hangs':
        this.#take(order);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return UNKNOWN;
      case 'taken':
      case 'lost':
        this.#take(order);
        return next === 'lost' ? UNKNOWN : { state: 'taken', said: 'PENDING' };
      case 'paid': {
        this.#take(order).fate = 'paid';
        return this.#answer(order.reference);
      }
      default:
        this.#take(order, next);
        return { state: 'failed', refusal: next, said: next };
    }
  };

  ask = async (reference: string): Promise<Answer> => {
    this.calls.push(`ask ${reference}`);
    const next = this.asking.shift() ?? 'book';
    switch (next) {
      case 'pending':
        return { state: 'taken', said: 'PENDING' };
      case 'ambiguous':
        return { state: 'unknown', said: 'TA' };
      case 'lost':
        return UNKNOWN;
      case 'notFound':
        return { state: 'notFound', said: 'RESOURCE_NOT_FOUND' };
      case 'throws':
        throw new Error('a fault of the rail');
      case 'book':
        return this.#answer(reference);
    }
  };

  /** The amounts paid, in minor units, by reference. */
  get paid(): ReadonlyMap<string, number> {
    const paid = [...this.book].filter(([, { fate }]) => fate === 'paid');
    return new Map(paid.map(([reference, { order }]) => [reference, order.amount]));
  }

  #take(order: Order, fate: Booked['fate'] = 'waiting'): Booked {
    const known = this.book.get(order.reference) ?? { order, fate };
    this.book.set(order.reference, known);
    return known;
  }

  #answer(reference: string): Answer {
    const booked = this.book.get(reference);
    if (booked === undefined) return { state: 'notFound', said: 'RESOURCE_NOT_FOUND' };
    if (booked.fate === 'waiting') booked.fate = this.fate;
    if (booked.fate === 'waiting') return { state: 'taken', said: 'PENDING' };
    if (booked.fate === 'paid') {
      const amount = this.amountOf(reference);
      const paid = { state: 'succeeded', said: 'SUCCESSFUL', providerReference: this.numberOf(reference) } as const;
      return amount === undefined ? paid : { ...paid, amount };
    }
    return { state: 'failed', refusal: booked.fate, said: booked.fate };
  }
}

/** A rail to that provider, for MTN accounts in UGX. */
export function scriptedKind(provider: ScriptedProvider, payout: Direction = provider): RailKind {
  return {
    id: 'scripted',
    name: 'MTN mobile money',
    provider: 'mtn',
    currencies: ['UGX'],
    get findsWithinMs() {
      return provider.findsWithinMs;
    },
    settings: {},
    open: () => ({
      payout,
      collection: provider,
      holder: async (number) => {
        provider.askedFor.push(number);
        return provider.holder();
      },
      callbackReference: referenceIn,
    }),
  };
}

function referenceIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('reference' in body)) return undefined;
  return typeof body.reference === 'string' ? body.reference : undefined;
}

/** The open rails of these kinds. */
export function railsOf(...kinds: RailKind[]): Rails {
  return openRails({ rails: { kinds, environment: {} }, publicUrl: undefined }, { now: () => new Date() });
}
