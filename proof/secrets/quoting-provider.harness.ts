import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { MINUTE_SECONDS } from '#contract/time/durations.ts';
import { readConfig } from '#server/config/config.ts';
import { findRailKinds, openRails, type Rails } from '#server/rails/open-rails.ts';
import { type ProviderCall, type Script, ScriptedProvider } from '#server/rails/scripted-provider.harness.ts';
import { follow, releaseToRail, transfersOf } from '#server/transfers/transfers.harness.ts';
import { acknowledgeFlags, buildApprovedCase, buildCaseClient, buildOfficer } from '#testing/case-builders.ts';
import { buildPayoutAccount, prepare } from '#testing/payout-builders.ts';
import type { TestApp } from '#testing/test-app.ts';
import { leaksIn, type SecretLedger } from './secrets.harness.ts';

/** A provider that quotes each request in its reply, as gateways do for errors. */

/** Its replies in turn. A refusal ends a payout if the provider still has no such order three minutes later. */
const answers = ['no token', 'error', 'unauthorised', 'page', 'cut', 'state', 'refused', 'refused'] as const;

export class QuotingProvider {
  answer: (typeof answers)[number] = 'error';
  readonly #provider = new ScriptedProvider(/token/);
  readonly #ledger: SecretLedger;
  #url = '';

  constructor(ledger: SecretLedger) {
    this.#ledger = ledger;
    this.#provider.token = (call) => this.#tokenFor(call);
    this.#provider.answer = (call) => this.#answerTo(call);
  }

  async listen(): Promise<this> {
    this.#url = await this.#provider.listen();
    return this;
  }

  close(): Promise<void> {
    return this.#provider.close();
  }

  /** Rails to this provider; the ledger knows their keys. */
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
      MTN_URL: this.#url,
      AIRTEL_URL: this.#url,
      AIRTEL_CLIENT_ID: 'a-client-of-airtel',
      AIRTEL_CLIENT_SECRET: secret('client secret'),
      AIRTEL_PIN: this.#ledger.add('PIN', '7391'),
      AIRTEL_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    };
    return openRails(readConfig(environment, await findRailKinds()), { now });
  }

  #tokenFor(call: ProviderCall): Script {
    const token = this.#ledger.add('token', randomBytes(24).toString('base64url'));
    if (this.answer === 'no token') return { status: 401, json: { ...refusalOf(call), access_token: token } };
    // A token is renewed 30 seconds before its end, so each call needs a new one.
    return { status: 200, json: { access_token: token, expires_in: '30', token_type: 'bearer' } };
  }

  #answerTo(call: ProviderCall): Script {
    const quote = quoteOf(call);
    const refusal = refusalOf(call);
    const isQuestion = call.method === 'GET';
    const response_code = isQuestion ? 'DP00900001015' : 'DP00900001004';
    const status = { code: '400', message: quote, response_code, success: false };
    switch (this.answer) {
      case 'unauthorised':
        return { status: 401, json: refusal };
      case 'page':
        return { status: 502, text: `<h1>Bad gateway</h1>${quote}` };
      case 'cut':
        return 'cut';
      case 'state':
        return { status: 200, json: { status: 'FAILED', reason: quote, data: { transaction: { status: quote } } } };
      case 'error':
        return { status: 500, json: refusal };
      default:
        return { status: isQuestion ? 404 : 400, json: { ...refusal, code: 'RESOURCE_NOT_FOUND', status } };
    }
  }
}

function quoteOf({ headers, body }: ProviderCall): string {
  return `${JSON.stringify(headers)} ${body} pin 7391`;
}

function refusalOf(call: ProviderCall) {
  const quote = quoteOf(call);
  return { code: 'NOT_ALLOWED', message: quote, status: { message: quote, result_code: quote } };
}

/** Releases a payout over each rail, follows it through all replies, and reads it as people do. */
export async function failingRails(app: TestApp, ledger: SecretLedger, provider: QuotingProvider): Promise<void> {
  for (const rail of ['mtn', 'airtel'] as const) {
    const [client, officer] = [await buildCaseClient(app), await buildOfficer(app)];
    await buildPayoutAccount(app, client, officer, { provider: rail });
    const built = await buildApprovedCase(app, { client, officer });
    // The provider does not name the account's holder, so an officer acknowledges the flag.
    await prepare(officer, built.tag);
    await acknowledgeFlags(await buildOfficer(app), built.tag);
    await releaseToRail(app, built);
    for (const [nth, answer] of answers.entries()) {
      provider.answer = answer;
      for (const { tag } of await transfersOf(app, built)) await follow(app.platform, tag);
      const isOver = (await transfersOf(app, built)).some(({ known_at }) => known_at !== null);
      if (isOver !== (nth === answers.length - 1)) throw new Error(`'${answer}' was not the answer over ${rail}`);
      for (const shown of [`/applications/${built.tag}/payout`, '/payouts/board', `/desk/cases/${built.tag}`]) {
        const { raw } = await officer.caller.get(shown);
        ledger.told.push(...leaksIn(ledger.all, `the answer of ${shown}`, raw));
      }
      await app.platform.rails.find(rail)?.collection.ask(built.tag, AbortSignal.timeout(10_000));
      await app.platform.db
        .updateTable('transfers')
        .set({ next_ask_at: app.clock.now() })
        .where('known_at', 'is', null)
        .execute();
      app.clock.advance(3 * MINUTE_SECONDS);
    }
  }
}
