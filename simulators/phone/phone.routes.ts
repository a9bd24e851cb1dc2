import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from '#simulators/ground/events.ts';
import type { Cause } from '#simulators/ground/provider.ts';
import { LIMITS } from '#simulators/ground/rules.ts';
import { textOf } from '#simulators/ground/serve.ts';
import type { Simulator } from '#simulators/ground/simulator.ts';
import { homePage, type Phone, payPage, phonesPage, requestPage } from './phone-page.ts';

/** The phone's texts for failed payments. */
const SAID: Readonly<Partial<Record<Cause, string>>> = {
  'no funds': 'You do not have enough money for this.',
  'over the limit of a transaction': `You can send up to ${LIMITS.transaction.toLocaleString('en')} at a time.`,
  'over the limit of a wallet': `You can send up to ${LIMITS.day.toLocaleString('en')} a day.`,
  'payer closed': 'Your account is closed.',
  rejected: 'You rejected it. Nothing was paid.',
  expired: 'It is too late to answer this.',
};

interface Numbered {
  Params: { msisdn: string };
}
interface Requested {
  Params: { msisdn: string; id: string };
}

/** The phone of a wallet, at /phone/0772345678 or /phone/256772345678. */
export function phoneRoutes(app: FastifyInstance, simulator: Simulator): void {
  const { book } = simulator;
  const openRequests = (msisdn: string): Transaction[] =>
    book.pending().filter((one) => one.kind === 'request' && one.msisdn === msisdn && !one.plan.isScripted);

  app.get('/phone', async (_request, reply) => {
    const { name, title } = simulator.provider;
    return html(reply, phonesPage({ network: name, title }, book.wallets));
  });
  app.get<Numbered>('/phone/:msisdn', async (request, reply) => {
    simulator.tick();
    const phone = phoneOf(simulator, request.params.msisdn);
    if (phone === undefined) return noPhone(reply);
    const { msisdn } = phone.wallet;
    return html(reply, homePage(phone, openRequests(msisdn), book.messagesOf(msisdn)));
  });
  const onRequest = (
    method: 'GET' | 'POST',
    answer: (reply: FastifyReply, phone: Phone, open: Transaction, form: URLSearchParams) => FastifyReply,
  ): void => {
    app.route<Requested>({
      method,
      url: '/phone/:msisdn/requests/:id',
      handler: async (request, reply) => {
        simulator.tick();
        const phone = phoneOf(simulator, request.params.msisdn);
        if (phone === undefined) return noPhone(reply);
        const open = openRequests(phone.wallet.msisdn).find(({ id }) => id === request.params.id);
        if (open === undefined) return shown(reply, simulator, phone, SAID.expired);
        return answer(reply, phone, open, formOf(request));
      },
    });
  };
  onRequest('GET', (reply, phone, open) => html(reply, requestPage(phone, open, simulator.clock.now())));
  onRequest('POST', (reply, phone, open, form) => {
    const approves = form.get('answer') === 'approve';
    if (approves && form.get('pin') !== phone.pin) {
      const said = 'That PIN is wrong.';
      const { wrongPin } = simulator.provider;
      if (wrongPin === undefined) return html(reply.code(403), requestPage(phone, open, simulator.clock.now(), said));
      simulator.settle(open.id, wrongPin);
      return shown(reply.code(403), simulator, phone, `${said} Nothing was paid.`);
    }
    const problem = simulator.answer(open.id, approves);
    return shown(reply, simulator, phone, problem === null ? undefined : SAID[problem]);
  });
  paymentRoutes(app, simulator);
}

/** Payments without a request. */
function paymentRoutes(app: FastifyInstance, simulator: Simulator): void {
  app.get<Numbered>('/phone/:msisdn/pay', async (request, reply) => {
    const phone = phoneOf(simulator, request.params.msisdn);
    return phone === undefined ? noPhone(reply) : html(reply, payPage(phone));
  });
  app.post<Numbered>('/phone/:msisdn/payments', async (request, reply) => {
    simulator.tick();
    const phone = phoneOf(simulator, request.params.msisdn);
    if (phone === undefined) return noPhone(reply);
    const form = formOf(request);
    const typed = (form.get('amount') ?? '').replaceAll(/[ ,]/g, '');
    const refuse = (said: string) => html(reply.code(400), payPage(phone, said));
    if (!/^[1-9]\d{0,8}$/.test(typed)) return refuse('Enter the amount in whole shillings.');
    if (form.get('pin') !== phone.pin) return refuse('That PIN is wrong. Nothing was paid.');
    const reference = (form.get('reference') ?? '').trim().slice(0, 40);
    const problem = simulator.pay(phone.wallet.msisdn, Number(typed), reference);
    if (problem !== null) return refuse(SAID[problem] ?? 'That did not go through.');
    return shown(reply, simulator, phone, undefined);
  });
}

function phoneOf({ provider, book }: Simulator, typed: string): Phone | undefined {
  const wallet = book.wallet(typed.replace(/^\+/, '').replace(/^0/, '256'));
  const { name, title, currency, pin } = provider;
  return wallet === undefined ? undefined : { network: name, title, currency, pin, wallet };
}

/** Shows the phone with a text; without one, redirects to it. */
function shown(reply: FastifyReply, simulator: Simulator, phone: Phone, said: string | undefined): FastifyReply {
  const wallet = simulator.book.wallet(phone.wallet.msisdn) ?? phone.wallet;
  if (said === undefined) return reply.redirect(`/phone/${wallet.msisdn}`, 303);
  return html(reply, homePage({ ...phone, wallet }, [], simulator.book.messagesOf(wallet.msisdn), said));
}

function formOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(textOf(request));
}

function html(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'")
    .type('text/html; charset=utf-8')
    .send(text);
}

function noPhone(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/plain; charset=utf-8').send('No wallet has this number.');
}
