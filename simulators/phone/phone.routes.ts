import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from '#simulators/ground/events.ts';
import type { Cause } from '#simulators/ground/provider.ts';
import { LIMITS } from '#simulators/ground/rules.ts';
import { textOf } from '#simulators/ground/serve.ts';
import type { Simulator } from '#simulators/ground/simulator.ts';
import { homePage, type Phone, payPage, phonesPage, requestPage } from './phone-page.ts';

/** The phone's text if a payment failed. */
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
  app.get<Requested>('/phone/:msisdn/requests/:id', async (request, reply) => {
    simulator.tick();
    const phone = phoneOf(simulator, request.params.msisdn);
    const open = phone && openRequests(phone.wallet.msisdn).find(({ id }) => id === request.params.id);
    if (phone === undefined) return noPhone(reply);
    if (open === undefined) return shown(reply, simulator, phone, SAID.expired);
    return html(reply, requestPage(phone, open, simulator.clock.now()));
  });
  app.post<Requested>('/phone/:msisdn/requests/:id', async (request, reply) => {
    simulator.tick();
    const phone = phoneOf(simulator, request.params.msisdn);
    const open = phone && openRequests(phone.wallet.msisdn).find(({ id }) => id === request.params.id);
    if (phone === undefined) return noPhone(reply);
    if (open === undefined) return shown(reply, simulator, phone, SAID.expired);
    const form = formOf(request);
    const approves = form.get('answer') === 'approve';
    if (approves && form.get('pin') !== phone.pin) {
      if (simulator.provider.wrongPin !== undefined) simulator.settle(open.id, simulator.provider.wrongPin);
      const said = 'That PIN is wrong.';
      if (simulator.provider.wrongPin === undefined)
        return html(reply.code(403), requestPage(phone, open, simulator.clock.now(), said));
      return shown(reply.code(403), simulator, phone, `${said} Nothing was paid.`);
    }
    const problem = simulator.answer(open.id, approves);
    return shown(reply, simulator, phone, problem === null ? undefined : SAID[problem]);
  });
  paymentRoutes(app, simulator);
}

/** Money that somebody sends unasked. */
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

/** The phone now, with a text. */
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
