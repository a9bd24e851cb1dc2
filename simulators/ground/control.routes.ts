import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { accountNames, shillings } from './events.ts';
import { fault } from './faults.ts';
import { jsonOf } from './serve.ts';
import type { Simulator } from './simulator.ts';
import { statementCsv } from './statement.ts';

/** The controls and the book, for tests, proofs and demonstrations. No provider has them. */

const wallet = z.strictObject({
  msisdn: z.string(),
  name: z.string().min(1).max(100),
  state: z.enum(['active', 'closed']).default('active'),
  /** The new balance; unchanged if absent. */
  balance: shillings.optional(),
});
const float = z.strictObject({ disbursement: shillings.optional(), collection: shillings.optional() });
const time = z.strictObject({ hold: z.boolean().optional(), advanceSeconds: z.number().min(0).optional() });
const settling = z.strictObject({ reason: z.string().optional() });
const wanted = z.strictObject({
  date: z.iso.date().optional(),
  account: z.enum(accountNames).optional(),
});

/** Thrown for an invalid control call. */
export class Misuse extends Error {}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw new Misuse(z.prettifyError(result.error));
  return result.data;
}

function bodyOf<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  return parsed(schema, jsonOf(request));
}

export function controlRoutes(app: FastifyInstance, simulator: Simulator): void {
  const { provider, book, clock, faults } = simulator;
  app.get('/simulator', async () => ({
    provider: provider.title,
    pin: provider.pin,
    credentials: provider.credentials(),
    reasons: provider.documentedReasons,
    testNumbers: Object.fromEntries(
      Object.entries(provider.scripts).map(([kind, scripts]) => [kind, Object.fromEntries(scripts)]),
    ),
  }));
  app.get('/simulator/book', async () => {
    const { accounts, wallets, transactions, calls } = book;
    return { accounts, wallets, transactions, calls, sums: book.sums() };
  });
  app.get('/simulator/statement.csv', async (request, reply) => {
    const csv = statementCsv(provider, book, parsed(wanted, request.query));
    return reply.type('text/csv; charset=utf-8').send(csv);
  });
  app.put('/simulator/wallets', async (request) => {
    const wallets = bodyOf(z.array(wallet), request);
    const stranger = wallets.find(({ msisdn }) => !provider.numbers.test(msisdn));
    if (stranger !== undefined) throw new Misuse(`${stranger.msisdn} is no number of ${provider.title}`);
    for (const { balance, ...one } of wallets) {
      const held = book.wallet(one.msisdn)?.balance ?? 0;
      simulator.putWallet({ ...one, funded: (balance ?? held) - held });
    }
    return book.wallets;
  });
  app.put('/simulator/float', async (request) => {
    const wantedFloat = bodyOf(float, request);
    for (const account of accountNames) {
      const balance = wantedFloat[account];
      if (balance !== undefined) simulator.fund(account, balance);
    }
    return book.accounts;
  });
  app.get('/simulator/clock', async () => ({ now: new Date(clock.now()).toISOString(), isHeld: clock.isHeld }));
  app.post('/simulator/clock', async (request) => {
    const { hold, advanceSeconds } = bodyOf(time, request);
    // Due transactions settle at the old time.
    simulator.tick();
    if (hold !== undefined) clock.hold(hold);
    if (advanceSeconds !== undefined) clock.advance(advanceSeconds);
    simulator.tick();
    await simulator.callbacks.settled();
    return { now: new Date(clock.now()).toISOString(), isHeld: clock.isHeld };
  });
  app.get('/simulator/faults', async () => faults.all);
  faultRoute(app, simulator);
  app.post<{ Params: { id: string } }>('/simulator/transactions/:id/settle', async (request) => {
    const { reason } = bodyOf(settling, request);
    const transaction = book.transaction(request.params.id);
    if (transaction?.state !== 'pending') throw new Misuse(`nothing is pending as ${request.params.id}`);
    if (reason === undefined) simulator.settleAsPlanned(transaction);
    else simulator.settle(transaction.id, documented(simulator, reason));
    simulator.tick();
    return book.transaction(transaction.id);
  });
}

function faultRoute(app: FastifyInstance, simulator: Simulator): void {
  const { provider, faults, clock } = simulator;
  app.put('/simulator/faults', async (request, reply) => {
    const wantedFaults = bodyOf(z.array(fault), request);
    for (const one of wantedFaults) {
      if (one.fault === 'refuse') documented(simulator, one.reason);
      if (one.fault === 'pending' && one.as !== undefined && !provider.pendingStates.includes(one.as))
        throw new Misuse(`${provider.title} has no state ${one.as}: ${provider.pendingStates.join(', ')}`);
    }
    faults.replace(wantedFaults, clock.now());
    const down = faults.standing('down');
    if (down?.how === 'refused') reply.raw.once('finish', () => closePort(app, down.seconds));
    return faults.all;
  });
}

/** The reason, if the provider documents it. */
function documented({ provider }: Simulator, reason: string): string {
  if (provider.documentedReasons.includes(reason)) return reason;
  throw new Misuse(`${provider.title} documents no ${reason}: ${provider.documentedReasons.join(', ')}`);
}

/** Closes the port for some seconds, including these controls. */
function closePort(app: FastifyInstance, seconds: number): void {
  const address = app.server.address();
  if (address === null || typeof address === 'string') return;
  app.server.close();
  app.server.closeAllConnections();
  setTimeout(() => app.server.listen(address.port, address.address), seconds * 1000);
}
