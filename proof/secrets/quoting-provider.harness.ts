import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { MINUTE_SECONDS } from '#contract/time/durations.ts';
import { readConfig } from '#server/config/config.ts';
import { findRailKinds, openRails, type Rails } from '#server/rails/open-rails.ts';
import { acknowledgeFlags, buildApprovedCase, buildCaseClient, buildOfficer } from '#server/testing/case-builders.ts';
import { buildPayoutAccount, prepare } from '#server/testing/payout-builders.ts';
import type { TestApp } from '#server/testing/test-app.ts';
import { follow, releaseToRail, transfersOf } from '#server/transfers/transfers.harness.ts';
import { leaksIn, type SecretLedger } from './secrets.harness.ts';

/** A provider that quotes in each answer whatever it was sent, as gateways do where something is wrong. */

/** What its answers are, one after the other for ever; the last of them ends a payout. */
const answers = ['no token', 'error', 'unauthorised', 'page', 'cut', 'state', 'refused'] as const;

export class QuotingProvider {
  answer: (typeof answers)[number] = 'error';
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #ledger: SecretLedger;
  #url = '';

  constructor(ledger: SecretLedger) {
    this.#ledger = ledger;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
    this.#url = `http://127.0.0.1:${address.port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** The rails to it, whose keys the ledger knows. */
  async rails(now: () => Date): Promise<Rails> {
    const secret = (kind: string): string => this.#ledger.add(kind, randomBytes(16).toString('hex'));
    const user = '00000000-0000-4000-8000-000000000001';
    const mtn = ['DISBURSEMENT', 'COLLECTION'].map((product) => {
      const key = secret('API key');
      this.#ledger.add('login', Buffer.from(`${user}:${key}`).toString('base64'));
      return {
        [`MTN_${product}_SUBSCRIPTION_KEY`]: secret('subscription key'),
        [`MTN_${product}_API_USER`]: user,
        [`MTN_${product}_API_KEY`]: key,
      };
    });
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const environment = {
      ...Object.assign({}, ...mtn),
      ...{ MTN_URL: this.#url, AIRTEL_URL: this.#url, AIRTEL_CLIENT_ID: 'a-client-of-airtel' },
      ...{ AIRTEL_CLIENT_SECRET: secret('client secret'), AIRTEL_PIN: this.#ledger.add('PIN', '7391') },
      AIRTEL_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    };
    return openRails(readConfig(environment, await findRailKinds()), { now });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const quote = `${JSON.stringify(request.headers)} ${body} pin 7391`;
    const send = (status: number, answer: object | string): void => {
      response.writeHead(status, { 'content-type': typeof answer === 'string' ? 'text/html' : 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    };
    const refusal = { code: 'NOT_ALLOWED', message: quote, status: { message: quote, result_code: quote } };
    if (/token/.test(request.url ?? '')) {
      const token = this.#ledger.add('token', randomBytes(24).toString('base64url'));
      if (this.answer === 'no token') return send(401, { ...refusal, access_token: token });
      // As long as a token is renewed before its end: each call needs another one.
      return send(200, { access_token: token, expires_in: '30', token_type: 'bearer' });
    }
    if (this.answer === 'unauthorised') return send(401, refusal);
    if (this.answer === 'page') return send(502, `<h1>Bad gateway</h1>${quote}`);
    if (this.answer === 'cut') return void response.destroy();
    if (this.answer === 'state')
      return send(200, { status: 'FAILED', reason: quote, data: { transaction: { status: quote } } });
    if (this.answer === 'error') return send(500, refusal);
    const isAsked = request.method === 'GET';
    const response_code = isAsked ? 'DP00900001015' : 'DP00900001004';
    const airtel = { code: '400', message: quote, response_code, success: false };
    return send(isAsked ? 404 : 400, { ...refusal, code: 'RESOURCE_NOT_FOUND', status: airtel });
  }
}

/** Releases a payout over each rail, has it followed through each of the provider's answers, and shows it to people. */
export async function failingRails(app: TestApp, ledger: SecretLedger, provider: QuotingProvider): Promise<void> {
  for (const rail of ['mtn', 'airtel'] as const) {
    const [client, officer] = [await buildCaseClient(app), await buildOfficer(app)];
    await buildPayoutAccount(app, client, officer, { provider: rail });
    const built = await buildApprovedCase(app, { client, officer });
    // It does not tell who holds the account, which an officer answers for.
    await prepare(officer, built.tag);
    await acknowledgeFlags(await buildOfficer(app), built.tag);
    await releaseToRail(app, built);
    for (const answer of answers) {
      provider.answer = answer;
      for (const { tag } of await transfersOf(app, built)) await follow(app.platform, tag);
      const isOver = (await transfersOf(app, built)).some(({ known_at }) => known_at !== null);
      if (isOver !== (answer === answers.at(-1))) throw new Error(`'${answer}' is not what was answered over ${rail}`);
      for (const shown of [`/applications/${built.tag}/payout`, '/transfers/open', `/desk/cases/${built.tag}`]) {
        const { raw } = await officer.caller.get(shown);
        ledger.told.push(...leaksIn(ledger.all, `the answer of ${shown}`, raw));
      }
      await app.platform.rails.find(rail)?.collection.ask(built.tag, AbortSignal.timeout(10_000));
      await app.platform.db
        .updateTable('transfers')
        .set({ next_ask_at: app.clock.now() })
        .where('known_at', 'is', null)
        .execute();
      // Before that no refusal of a repeat is believed.
      app.clock.advance(3 * MINUTE_SECONDS);
    }
  }
}
