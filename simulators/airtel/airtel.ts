import type { KeyObject } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ugandanTime } from '#simulators/ground/clock.ts';
import type { Transaction } from '#simulators/ground/events.ts';
import type { Outgoing, Provider, StatementLine } from '#simulators/ground/provider.ts';
import { type Answer, jsonOf, serve, textOf } from '#simulators/ground/serve.ts';
import type { Order, Simulator } from '#simulators/ground/simulator.ts';
import { Access, type AirtelSettings, COUNTRY, CURRENCY, hashOf, publicKeyOf, refusal } from './access.ts';
import { EXPIRED, failureCodes, outcomes, scripts, texts } from './codes.ts';

/** Airtel Money's open API, as documented or observed (docs/decisions/0048-simulators.md). */

const text = z.string();
const textOrNumber = z.union([text, z.number()]).transform(String);
const country = z.literal(COUNTRY).optional();
const currency = z.literal(CURRENCY).optional();
const bodies = {
  transfer: z
    .object({
      payee: z.object({ msisdn: textOrNumber, currency: text.optional(), name: text.optional() }),
      reference: text.regex(/^[A-Za-z0-9]{4,64}$/),
      pin: text.optional(),
      transaction: z.object({ amount: textOrNumber, id: text, type: z.enum(['B2C', 'B2B']).optional() }),
    })
    .transform(({ payee: { msisdn }, transaction, reference, pin }) => ({ ...transaction, msisdn, reference, pin })),
  request: z
    .object({
      reference: text.regex(/^[A-Za-z0-9 ]{4,64}$/),
      subscriber: z.object({ country, currency, msisdn: textOrNumber }),
      transaction: z.object({ amount: textOrNumber, country, currency, id: text }),
    })
    .transform(({ subscriber: { msisdn }, transaction: { amount, id }, reference }) => ({
      amount,
      id,
      msisdn,
      reference,
      pin: undefined,
    })),
};
type Kind = keyof typeof bodies;
/** The fields of an order of either kind. */
type Fields = z.output<(typeof bodies)['transfer']>;

function fieldsOf(kind: Kind, request: FastifyRequest): Fields | undefined {
  return bodies[kind].safeParse(jsonOf(request)).data;
}

interface Path {
  readonly kind: Kind;
  readonly take: string;
  readonly status: string;
  /** Whether a transfer must name its type, as from version 2. */
  readonly isTyped: boolean;
}
const paths: readonly Path[] = [
  { kind: 'request', take: '/merchant/v1/payments/', status: '/standard/v1/payments/:id', isTyped: false },
  { kind: 'request', take: '/merchant/v2/payments/', status: '/standard/v2/payments/:id', isTyped: false },
  { kind: 'transfer', take: '/standard/v1/disbursements/', status: '/standard/v1/disbursements/:id', isTyped: false },
  { kind: 'transfer', take: '/standard/v2/disbursements/', status: '/standard/v2/disbursements/:id', isTyped: true },
  { kind: 'transfer', take: '/standard/v3/disbursements/', status: '/standard/v3/disbursements/:id', isTyped: true },
];

/** Airtel with these settings and this key pair. */
export function airtel(settings: AirtelSettings, privateKey: KeyObject): Provider {
  return {
    name: 'airtel',
    title: 'Airtel Money',
    numbers: /^2567[045]\d{7}$/,
    currency: CURRENCY,
    pin: '1234',
    wrongPin: 'DP00800001002',
    reasons: {
      'payee not found': 'DP00900001012',
      'payer not found': 'DP00800001010',
      'payee closed': 'DP00900001009',
      'payer closed': 'DP00800001010',
      'no float': 'DP00900001007',
      'no funds': 'DP00800001007',
      'over the limit of a transaction': 'DP00900001004',
      'over the limit of a wallet': 'DP00900001003',
      rejected: 'DP00800001008',
      expired: EXPIRED,
    },
    documentedReasons: failureCodes,
    pendingStates: ['TIP', 'TA'],
    scripts,
    isSettledLater: false,
    financialId: airtelMoneyId,
    callback: (transaction) => callbackOf(transaction, settings),
    statementHead:
      'Transaction ID,Reference ID,Date,Service Type,Status,Sender number,Receiver number,Sender name,Reference,Credit,Debit,Currency,Closing Balance',
    statementRow,
    unavailable: { status_message: 'Service Unavailable', status_code: 'ROUTER117' },
    unknownPath: { status_message: 'Not Found', status_code: '404' },
    credentials: () => ({ ...settings, publicKey: publicKeyOf(privateKey) }),
    routes(app, simulator) {
      const access = new Access(simulator, settings, privateKey);
      serve(app, simulator, {
        operation: 'token',
        method: 'POST',
        url: '/auth/oauth2/token',
        answer: (request) => access.createToken(request),
      });
      serve(app, simulator, {
        operation: 'keys',
        method: 'GET',
        url: '/v1/rsa/encryption-keys',
        answer: (request) => access.showKey(request),
      });
      for (const path of paths) orderRoutes(app, simulator, access, path);
      accountRoutes(app, simulator, access);
    },
  };
}

/** Accepts orders and shows their status. */
function orderRoutes(app: FastifyInstance, simulator: Simulator, access: Access, path: Path): void {
  const { kind } = path;
  serve(app, simulator, {
    operation: kind,
    method: 'POST',
    url: path.take,
    msisdnOf: (request) => withCountry(fieldsOf(kind, request)?.msisdn),
    answer: (request) => {
      access.admit(request);
      access.checkSignature(request, textOf(request), kind);
      const fields = fieldsOf(kind, request);
      const order = orderOf(fields, path);
      if (kind === 'transfer') access.checkPin(fields?.pin);
      if (simulator.book.transaction(order.id) !== undefined)
        throw refusal('Duplicate exttRID', { response: outcomes[kind].duplicate, result: 'ESB000041' });
      simulator.take(kind, order);
      return firstAnswer(simulator.book.transaction(order.id), kind);
    },
  });
  serve(app, simulator, {
    operation: `${kind}-status`,
    method: 'GET',
    url: path.status,
    msisdnOf: (request) => simulator.book.transaction(idOf(request))?.msisdn,
    answer: (request) => {
      access.admit(request);
      const transaction = simulator.ask(kind, idOf(request));
      if (transaction !== undefined) return { status: 200, body: viewOf(transaction) };
      const code = outcomes[kind].notFound;
      throw refusal(texts[code] ?? '', { response: code, result: 'ESB000045' });
    },
  });
}

function idOf(request: FastifyRequest): string {
  return z.object({ id: z.string() }).parse(request.params).id;
}

/** The number with its country code, as in the book. */
function withCountry(msisdn: string | undefined): string | undefined {
  return msisdn === undefined ? undefined : `256${msisdn}`;
}

/** The order; throws Airtel's refusal if it is invalid. */
function orderOf(fields: Fields | undefined, { kind, isTyped }: Path): Order {
  const codes = outcomes[kind];
  if (fields === undefined || (isTyped && fields.type === undefined))
    throw refusal('Missing header/body params', { response: codes.refused, result: 'ESB000008' });
  const { msisdn, amount, id, reference } = fields;
  if (!/^\d{9}$/.test(msisdn))
    throw refusal('Invalid Msisdn Length. Msisdn Length should be 9', { response: codes.refused, result: 'ESB000033' });
  if (!/^[1-9]\d{0,11}$/.test(amount))
    throw refusal(
      'Invalid Amount: The amount must not be null or blank, should contain only numeric characters, be greater than zero, and have a limited number of decimal places',
      { response: codes.invalidAmount, result: 'ESB000008' },
    );
  if (!/^[A-Za-z0-9-]{4,64}$/.test(id))
    throw refusal('Invalid transaction id', { response: codes.refused, result: 'ESB000008' });
  return {
    id,
    msisdn: `256${msisdn}`,
    amount: Number(amount),
    currency: CURRENCY,
    externalId: reference,
    payerMessage: reference,
    payeeNote: reference,
    callbackUrl: null,
  };
}

/** The first answer: a collection has only started, while a disbursement may already have ended. */
function firstAnswer(transaction: Transaction | undefined, kind: Kind): Answer {
  if (transaction === undefined) throw new Error('the accepted order is not in the book');
  if (kind === 'transfer') return { status: 200, body: viewOf(transaction) };
  return {
    status: 200,
    body: {
      data: { transaction: { id: transaction.id, status: 'SUCCESS' } },
      status: statusOf(outcomes.request.pending, true, 'SUCCESS'),
    },
  };
}

function statusOf(code: string, isFine: boolean, message = texts[code] ?? ''): unknown {
  return {
    code: isFine ? '200' : '400',
    message,
    result_code: isFine ? 'ESB000010' : 'ESB000011',
    response_code: code,
    success: isFine,
  };
}

/** Airtel's code of a transaction's status. */
function wordOf({ state, reason, plan }: Transaction): string {
  if (state === 'pending') return plan.pendingAs;
  if (state === 'succeeded') return 'TS';
  return reason === EXPIRED ? 'TE' : 'TF';
}

function codeOf({ kind, state, reason, plan }: Transaction): string {
  const codes = outcomes[kind === 'transfer' ? 'transfer' : 'request'];
  if (state === 'pending') return plan.pendingAs === 'TA' ? codes.ambiguous : codes.pending;
  return state === 'succeeded' ? codes.succeeded : (reason ?? codes.refused);
}

/** A transaction in its enquiry and in a disbursement's first answer. */
function viewOf(transaction: Transaction): unknown {
  const { kind, id, financialId, state } = transaction;
  const code = codeOf(transaction);
  const message = messageOf(transaction);
  const status = wordOf(transaction);
  const money = financialId === null ? {} : { airtel_money_id: financialId };
  const own = kind === 'transfer' ? { reference_id: financialId ?? '' } : { message };
  return {
    data: { transaction: { ...money, ...own, id, status } },
    status: statusOf(code, state !== 'failed', kind === 'transfer' ? message : undefined),
  };
}

function messageOf(transaction: Transaction): string {
  const { kind, state, amount, msisdn, financialId } = transaction;
  if (state !== 'succeeded') return texts[codeOf(transaction)] ?? '';
  const money = `${CURRENCY} ${amount.toLocaleString('en')}`;
  const number = msisdn.replace(/^256/, '');
  return kind === 'transfer'
    ? `You have sent ${money} to ${number}. TID: ${financialId}`
    : `Paid ${money} from ${number}. Trans ID ${financialId}.`;
}

/** Airtel's form, 'MP261123.1905.L00001': kind, date, time of day, number. */
function airtelMoneyId(nth: number, at: number, kind: Transaction['kind']): string {
  const [date = '', time = ''] = ugandanTime(at).split(' ');
  const letters = kind === 'transfer' ? 'CI' : 'MP';
  return `${letters}${date.slice(2).replaceAll('-', '')}.${time.slice(0, 5).replace(':', '')}.L${String(nth).padStart(5, '0')}`;
}

/** A POST to the application's address, for collections and, if set, for disbursements. */
function callbackOf(transaction: Transaction, settings: AirtelSettings): Outgoing | null {
  const { callbackUrl, callbackKey, hashOver, callsBackForDisbursements } = settings;
  const isCalledBack = transaction.kind === 'request' || (transaction.kind === 'transfer' && callsBackForDisbursements);
  if (callbackUrl === null || !isCalledBack) return null;
  const { id, financialId } = transaction;
  const content = {
    id,
    message: messageOf(transaction),
    status_code: wordOf(transaction),
    airtel_money_id: financialId ?? '',
  };
  const hash = callbackKey === null ? {} : { hash: hashOf(content, callbackKey, hashOver) };
  return { method: 'POST', url: callbackUrl, body: { transaction: content, ...hash } };
}

/** The owner of a number, and the merchant's balances. */
function accountRoutes(app: FastifyInstance, simulator: Simulator, access: Access): void {
  const { book } = simulator;
  const balanceOf =
    (account: 'disbursement' | 'collection') =>
    (request: FastifyRequest): Answer => {
      access.admit(request);
      const balance = `${book.accounts[account].toLocaleString('en')}.00`;
      const data = { balance, currency: CURRENCY, account_status: 'Active' };
      return { status: 200, body: { data, status: statusOf('DP02100000001', true, 'SUCCESS') } };
    };
  const balances = {
    '/balance': 'collection',
    '/balance/disbursement': 'disbursement',
    '/balance/collection': 'collection',
  } as const;
  for (const [path, account] of Object.entries(balances))
    serve(app, simulator, {
      operation: 'balance',
      method: 'GET',
      url: `/standard/v1/users${path}`,
      answer: balanceOf(account),
    });
  const numberOf = (request: FastifyRequest): string => z.object({ msisdn: z.string() }).parse(request.params).msisdn;
  serve(app, simulator, {
    operation: 'owner',
    method: 'GET',
    url: '/standard/v1/users/:msisdn',
    msisdnOf: (request) => withCountry(numberOf(request)),
    answer: (request) => {
      access.admit(request);
      const wallet = book.wallet(`256${numberOf(request)}`);
      if (wallet === undefined)
        throw refusal('Invalid MSISDN provided as input.', { response: 'DP02200000002', result: 'ESB000011' });
      const [first = '', ...last] = wallet.name.split(' ');
      const data = {
        first_name: first,
        grade: 'SUBS',
        is_barred: wallet.state === 'closed',
        is_pin_set: true,
        last_name: last.join(' '),
        msisdn: Number(numberOf(request)),
        reg_status: 'SUBS',
        registration: { status: 'SUBS' },
      };
      return { status: 200, body: { data, status: statusOf('DP02200000001', true, 'CALL_SUCCESS') } };
    },
  });
}

const SERVICES = { transfer: 'Disbursement', request: 'Merchant Payment', payment: 'Merchant Payment' } as const;

function statementRow({ transaction, wallet, amount, balance }: StatementLine): readonly (string | number)[] {
  const { kind, financialId, id, settledAt, msisdn, externalId, payerMessage, currency } = transaction;
  const number = msisdn.replace(/^256/, '');
  return [
    financialId ?? '',
    kind === 'payment' ? '' : id,
    ugandanTime(settledAt ?? 0),
    SERVICES[kind],
    'TS',
    kind === 'transfer' ? '' : number,
    kind === 'transfer' ? number : '',
    kind === 'transfer' ? '' : (wallet?.name ?? ''),
    kind === 'payment' ? payerMessage : externalId,
    amount > 0 ? amount : '',
    amount > 0 ? '' : -amount,
    currency,
    balance,
  ];
}
