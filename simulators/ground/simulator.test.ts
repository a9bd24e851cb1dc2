import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mtnSettings } from '#simulators/mtn/access.ts';
import { mtn } from '#simulators/mtn/mtn.ts';
import { Simulator } from './simulator.ts';

/** Random steps and kills neither create nor lose money. */

const WALLETS = ['256772000001', '256772000002', '256772000003'] as const;
const NUMBERS = [...WALLETS, '256772999999', '46733123450', '46733123454'] as const;
const provider = mtn(mtnSettings.parse({}));

const number = fc.constantFrom(...NUMBERS);
const amount = fc.integer({ min: 1, max: 6_000_000 });
const nth = fc.nat({ max: 20 });
const step = fc.oneof(
  fc.record({ do: fc.constant('transfer'), number, amount, nth }),
  fc.record({ do: fc.constant('request'), number, amount, nth }),
  fc.record({ do: fc.constant('answer'), nth, approved: fc.boolean() }),
  fc.record({ do: fc.constant('pay'), number: fc.constantFrom(...WALLETS), amount }),
  fc.record({ do: fc.constant('pending'), seconds: fc.nat({ max: 100 }) }),
  fc.record({ do: fc.constant('refuse') }),
  fc.record({ do: fc.constant('advance'), seconds: fc.nat({ max: 90_000 }) }),
  fc.record({ do: fc.constant('close'), number: fc.constantFrom(...WALLETS) }),
  fc.record({ do: fc.constant('kill') }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function started(bookFile: string): Simulator {
  const simulator = new Simulator(provider, { bookFile, settleMs: 1000 });
  simulator.clock.hold(true);
  return simulator;
}

function order(id: string, msisdn: string, shillings: number) {
  const texts = { externalId: 'A', payerMessage: '', payeeNote: '', callbackUrl: null };
  return { id, msisdn, amount: shillings, currency: 'UGX', ...texts };
}

/** Takes a step; returns the simulator, which a kill replaces. */
function taken(simulator: Simulator, one: Step, bookFile: string): Simulator {
  const { book, clock, faults } = simulator;
  switch (one.do) {
    case 'transfer':
    case 'request':
      if ('number' in one && 'nth' in one && book.transaction(`id ${one.nth}`) === undefined)
        simulator.take(one.do, order(`id ${one.nth}`, one.number, one.amount));
      break;
    case 'answer':
      if ('approved' in one && book.transaction(`id ${one.nth}`)?.kind === 'request')
        simulator.answer(`id ${one.nth}`, one.approved);
      break;
    case 'pay':
      if ('number' in one && 'amount' in one) simulator.pay(one.number, one.amount, 'unasked');
      break;
    case 'pending':
      if ('seconds' in one) faults.replace([{ fault: 'pending', seconds: one.seconds, count: 2 }], clock.now());
      break;
    case 'refuse':
      faults.replace([{ fault: 'refuse', reason: 'NOT_ALLOWED', count: 1 }], clock.now());
      break;
    case 'advance':
      if ('seconds' in one) clock.advance(one.seconds);
      simulator.tick();
      break;
    case 'close':
      if ('number' in one) simulator.putWallet({ msisdn: one.number, name: 'N', state: 'closed', funded: 0 });
      break;
    case 'kill':
      return started(bookFile);
  }
  return simulator;
}

it('steps in any order, with kills, neither create nor lose money nor make a balance negative', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-simulator-'));
  let run = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      run += 1;
      const bookFile = join(folder, `${run}.jsonl`);
      let simulator = started(bookFile);
      simulator.fund('disbursement', 3_000_000);
      for (const msisdn of WALLETS) simulator.putWallet({ msisdn, name: 'N', state: 'active', funded: 2_000_000 });
      for (const one of steps) {
        const before = simulator.book.transactions.filter(({ state }) => state !== 'pending');
        simulator = taken(simulator, one, bookFile);
        const { book } = simulator;
        expect(book.sums().held).toBe(book.sums().funded);
        expect(
          Math.min(...Object.values(book.accounts), ...book.wallets.map(({ balance }) => balance)),
        ).toBeGreaterThanOrEqual(0);
        // A settled transaction stays settled.
        expect(before.map(({ id }) => book.transaction(id)?.state)).toEqual(before.map(({ state }) => state));
      }
      const { transactions, wallets, accounts } = started(bookFile).book;
      expect({ transactions, wallets, accounts }).toEqual({
        transactions: simulator.book.transactions,
        wallets: simulator.book.wallets,
        accounts: simulator.book.accounts,
      });
    }),
    { numRuns: 100 },
  );
  rmSync(folder, { recursive: true });
});

it('a successful test number pays every time, whatever its balance', () => {
  const simulator = new Simulator(provider, { bookFile: undefined, settleMs: 0 });
  simulator.clock.hold(true);
  for (const id of ['first', 'second']) simulator.take('request', order(id, '46733123454', 700));
  simulator.clock.advance(60);
  simulator.tick();
  const { book } = simulator;
  expect(['first', 'second'].map((id) => book.transaction(id)?.state)).toEqual(['succeeded', 'succeeded']);
  expect([book.accounts.collection, book.wallet('46733123454')?.balance]).toEqual([1400, 0]);
});
