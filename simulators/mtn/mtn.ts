import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ugandanTime } from '#simulators/ground/clock.ts';
import type { Transaction } from '#simulators/ground/events.ts';
import type { Faults } from '#simulators/ground/faults.ts';
import type { Outgoing, Provider, StatementLine } from '#simulators/ground/provider.ts';
import { type Answer, jsonOf, Refusal, serve, textOf } from '#simulators/ground/serve.ts';
import type { Order, Simulator } from '#simulators/ground/simulator.ts';
import {
  Access,
  badRequest,
  header,
  type MtnSettings,
  type Product,
  products,
  referenceOf,
  refusal,
} from './access.ts';
import { activeScripts, reasons, requestScripts, transferScripts } from './test-numbers.ts';

/** MTN MoMo's open API, as documented or observed (docs/decisions/0048-simulators.md). */

/** Letters, digits, spaces and punctuation; the documentation forbids apostrophes. */
const note = z
  .string()
  .max(160)
  .regex(/^[A-Za-z0-9 .,:/()-]*$/);
/** Accepts any digits. A number without a wallet fails later, as observed with four spellings. */
const party = z.object({ partyIdType: z.literal('MSISDN'), partyId: z.string().regex(/^\+?\d{6,15}$/) });
const common = {
  amount: z.string(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  externalId: z.string().regex(/^\S{1,100}$/),
  payerMessage: note,
  payeeNote: note,
};
const bodies = {
  transfer: z.object({ ...common, payee: party }).transform(({ payee, ...rest }) => ({ ...rest, party: payee })),
  request: z.object({ ...common, payer: party }).transform(({ payer, ...rest }) => ({ ...rest, party: payer })),
};

interface Resource {
  readonly kind: 'transfer' | 'request';
  readonly product: Product;
  readonly path: string;
}
const resources: readonly Resource[] = [
  { kind: 'transfer', product: 'disbursement', path: '/disbursement/v1_0/transfer' },
  { kind: 'request', product: 'collection', path: '/collection/v1_0/requesttopay' },
];

/** MTN with these settings. */
export function mtn(settings: MtnSettings): Provider {
  // The sandbox supports only EUR, whose whole amounts are treated as shillings.
  const currency = settings.targetEnvironment === 'sandbox' ? 'EUR' : 'UGX';
  return {
    name: 'mtn',
    title: 'MTN MoMo',
    numbers: /^2567[6-9]\d{7}$/,
    currency,
    pin: '12345',
    reasons: {
      'payee not found': 'PAYEE_NOT_FOUND',
      'payer not found': 'PAYER_NOT_FOUND',
      'payee closed': 'PAYEE_NOT_ALLOWED_TO_RECEIVE',
      'payer closed': 'NOT_ALLOWED',
      'no float': 'NOT_ENOUGH_FUNDS',
      'no funds': 'NOT_ENOUGH_FUNDS',
      'over the limit of a transaction': 'PAYER_LIMIT_REACHED',
      'over the limit of a wallet': 'PAYEE_LIMIT_REACHED',
      rejected: 'APPROVAL_REJECTED',
      expired: 'EXPIRED',
    },
    documentedReasons: reasons,
    pendingStates: ['PENDING', 'CREATED'],
    scripts: { transfer: transferScripts, request: requestScripts },
    isSettledLater: true,
    financialId: (nth) => String(8_841_000_000 + nth),
    callback: callbackOf,
    statementHead: 'Id,External id,Date,Status,Type,From,To,From name,Message,Amount,Currency,Fee,Balance',
    statementRow,
    unavailable: { message: 'Service temporarily unavailable, try again later.', code: 'SERVICE_UNAVAILABLE' },
    unknownPath: { statusCode: 404, message: 'Resource not found' },
    credentials: () => settings,
    routes(app, simulator) {
      const access = new Access(simulator, settings);
      provisioning(app, access);
      for (const product of products) {
        accountRoutes(app, simulator, access, product);
        serve(app, simulator, {
          operation: 'token',
          method: 'POST',
          url: `/${product}/token/`,
          answer: (request) => access.createToken(request, product),
        });
      }
      for (const resource of resources) resourceRoutes(app, simulator, access, resource);
      notificationRoute(app, simulator, access);
    },
  };
}

/** The sandbox's calls that create users and keys; faults do not apply. */
function provisioning(app: FastifyInstance, access: Access): void {
  const answered = (
    url: string,
    method: 'GET' | 'POST',
    work: (request: FastifyRequest, id: string) => Answer,
  ): void => {
    app.route<{ Params: { id?: string } }>({
      method,
      url,
      handler: async (request, reply) => {
        try {
          const { status, body } = work(request, request.params.id ?? '');
          return reply.code(status).send(body);
        } catch (error) {
          if (error instanceof Refusal) return reply.code(error.answer.status).send(error.answer.body);
          throw error;
        }
      },
    });
  };
  answered('/v1_0/apiuser', 'POST', (request) => access.createUser(request));
  answered('/v1_0/apiuser/:id', 'GET', (request, id) => access.showUser(request, id));
  answered('/v1_0/apiuser/:id/apikey', 'POST', (request, id) => access.createKey(request, id));
}

/** Accepts transfers and requests to pay, and shows their status. */
function resourceRoutes(
  app: FastifyInstance,
  simulator: Simulator,
  access: Access,
  { kind, product, path }: Resource,
): void {
  serve(app, simulator, {
    operation: kind,
    method: 'POST',
    url: path,
    msisdnOf: (request) => bodies[kind].safeParse(jsonOf(request)).data?.party.partyId,
    answer: (request) => {
      const { callbackHost } = access.admit(request, product);
      const order = orderOf(request, kind, simulator.provider.currency, callbackHost);
      if (simulator.book.transaction(order.id) !== undefined) throw refusal('RESOURCE_ALREADY_EXIST');
      simulator.take(kind, order);
      return { status: 202 };
    },
  });
  serve(app, simulator, {
    operation: `${kind}-status`,
    method: 'GET',
    url: `${path}/:id`,
    msisdnOf: (request) => simulator.book.transaction(idOf(request))?.msisdn,
    answer: (request) => {
      access.admit(request, product);
      const transaction = simulator.ask(kind, idOf(request));
      if (transaction === undefined) throw refusal('RESOURCE_NOT_FOUND');
      return { status: 200, body: viewOf(transaction, simulator.faults) };
    },
  });
}

function idOf(request: FastifyRequest): string {
  return z.object({ id: z.string() }).parse(request.params).id.toLowerCase();
}

/** The order; throws the refusal of the first failed check of the gateway or MTN. */
function orderOf(request: FastifyRequest, kind: Resource['kind'], currency: string, callbackHost: string): Order {
  const id = referenceOf(request);
  const read = bodies[kind].safeParse(jsonOf(request));
  if (!read.success) throw badRequest(z.prettifyError(read.error));
  const { party: whom, amount, ...rest } = read.data;
  if (!/^[1-9]\d{0,11}$/.test(amount)) throw badRequest(`${amount} is no whole amount`);
  const callbackUrl = callbackUrlOf(request, callbackHost);
  if (rest.currency !== currency) throw refusal('INVALID_CURRENCY');
  return { id, msisdn: whom.partyId, amount: Number(amount), ...rest, callbackUrl };
}

function callbackUrlOf(request: FastifyRequest, callbackHost: string): string | null {
  const url = header(request, 'x-callback-url');
  if (url === '') return null;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) throw badRequest('X-Callback-Url is no address');
  if (parsed.hostname !== callbackHost) throw refusal('INVALID_CALLBACK_URL_HOST');
  return url;
}

/** A transaction in its status call and callback. */
function viewOf(transaction: Transaction, faults: Faults): Record<string, unknown> {
  const { kind, state, reason, financialId, msisdn, plan } = transaction;
  const { amount, currency, externalId, payerMessage, payeeNote } = transaction;
  const whom = { partyIdType: 'MSISDN', partyId: msisdn };
  const isObject = faults.standing('reason-as-object') !== undefined;
  return {
    ...(state === 'succeeded' ? { financialTransactionId: financialId } : {}),
    externalId,
    amount: String(amount),
    currency,
    ...(kind === 'transfer' ? { payee: whom } : { payer: whom }),
    payerMessage,
    payeeNote,
    status: { pending: plan.pendingAs, succeeded: 'SUCCESSFUL', failed: 'FAILED' }[state],
    ...(reason === null ? {} : { reason: isObject ? { code: reason, message: reason } : reason }),
  };
}

/** A PUT with the body of the status call. The address must identify the transaction, because the body does not. */
function callbackOf(transaction: Transaction, faults: Faults): Outgoing | null {
  const { callbackUrl } = transaction;
  return callbackUrl === null ? null : { method: 'PUT', url: callbackUrl, body: viewOf(transaction, faults) };
}

/** An account's state and name, and the product's balance. */
function accountRoutes(app: FastifyInstance, simulator: Simulator, access: Access, product: Product): void {
  const { book, provider } = simulator;
  const msisdnOf = (request: FastifyRequest): string => z.object({ msisdn: z.string() }).parse(request.params).msisdn;
  const path = `/${product}/v1_0/accountholder/msisdn/:msisdn`;
  serve(app, simulator, {
    operation: 'owner',
    method: 'GET',
    url: `${path}/active`,
    msisdnOf,
    answer: (request) => {
      access.admit(request, product);
      const scripted = activeScripts.get(msisdnOf(request));
      if (scripted !== undefined && scripted !== 'closed') throw refusal(scripted);
      return { status: 200, body: { result: book.wallet(msisdnOf(request))?.state === 'active' } };
    },
  });
  serve(app, simulator, {
    operation: 'owner',
    method: 'GET',
    url: `${path}/basicuserinfo`,
    msisdnOf,
    answer: (request) => {
      access.admit(request, product);
      const wallet = book.wallet(msisdnOf(request));
      if (wallet === undefined) throw refusal('RESOURCE_NOT_FOUND');
      const [given = '', ...family] = wallet.name.split(' ');
      const status = wallet.state === 'active' ? 'ACTIVE' : 'CLOSED';
      const name = { given_name: given, family_name: family.join(' ') };
      return { status: 200, body: { ...name, birthdate: '1990-01-01', locale: 'en_UG', gender: 'NOT SAID', status } };
    },
  });
  serve(app, simulator, {
    operation: 'balance',
    method: 'GET',
    url: `/${product}/v1_0/account/balance`,
    answer: (request) => {
      access.admit(request, product);
      return { status: 200, body: { availableBalance: String(book.accounts[product]), currency: provider.currency } };
    },
  });
}

/** Sends a text to a payer after payment. */
function notificationRoute(app: FastifyInstance, simulator: Simulator, access: Access): void {
  serve(app, simulator, {
    operation: 'notification',
    method: 'POST',
    url: '/collection/v1_0/requesttopay/:id/deliverynotification',
    msisdnOf: (request) => simulator.book.transaction(idOf(request))?.msisdn,
    answer: (request) => {
      access.admit(request, 'collection');
      const wanted = z.object({ notificationMessage: note.min(1) }).safeParse(jsonOf(request));
      if (!wanted.success) throw badRequest(`a notification is up to 160 plain characters: ${textOf(request)}`);
      const found = simulator.book.transaction(idOf(request));
      if (found === undefined || found.kind !== 'request') throw refusal('RESOURCE_NOT_FOUND');
      if (found.state !== 'succeeded') throw badRequest('it is not paid');
      simulator.book.record({ type: 'told', msisdn: found.msisdn, text: wanted.data.notificationMessage });
      return { status: 200 };
    },
  });
}

const TYPES = { transfer: 'Transfer', request: 'Debit', payment: 'Payment' } as const;

function statementRow({ transaction, wallet, amount, balance }: StatementLine): readonly (string | number)[] {
  const { kind, financialId, externalId, settledAt, msisdn, currency, payeeNote, payerMessage } = transaction;
  const own = kind === 'transfer' ? 'Disbursement account' : 'Collection account';
  return [
    financialId ?? '',
    externalId,
    ugandanTime(settledAt ?? 0),
    'Successful',
    TYPES[kind],
    kind === 'transfer' ? own : msisdn,
    kind === 'transfer' ? msisdn : own,
    kind === 'transfer' ? '' : (wallet?.name ?? ''),
    kind === 'transfer' ? payeeNote : payerMessage,
    amount,
    currency,
    0,
    balance,
  ];
}
