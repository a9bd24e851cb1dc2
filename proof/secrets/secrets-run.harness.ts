import { API_ROOT, type Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import {
  NEW_PASSWORD,
  newEmail,
  newPhone,
  otherThan,
  PASSWORD,
  signUpForm,
} from '#server/accounts/accounts.harness.ts';
import { codeOf, nextStep, wrongCode } from '#server/accounts/own-account.harness.ts';
import { deliverMessage } from '#server/messages/channels/delivery.ts';
import { smsProvider } from '#server/messages/channels/sms.ts';
import { buildBusiness, buildPerson, buildReadyInvoice, TEST_PASSWORD } from '#testing/builders.ts';
import { buildSettledCase, succeed } from '#testing/case-builders.ts';
import { full } from '#testing/evidence/record.ts';
import { samplePdf } from '#testing/sample-files.ts';
import type { TestApp, TestCaller } from '#testing/test-app.ts';
import { upload } from '#testing/uploads.ts';
import type { SecretLedger } from './secrets.harness.ts';

/** The main job and every refusal, with known secrets. */

interface Run {
  readonly app: TestApp;
  readonly ledger: SecretLedger;
  visitor(): TestCaller;
}

export function runOf(app: TestApp, ledger: SecretLedger): Run {
  for (const password of [PASSWORD, NEW_PASSWORD, TEST_PASSWORD]) ledger.add('password', password);
  return { app, ledger, visitor: () => ledger.watch(app.visitor()) };
}

/** The newest match in the messages to a recipient, added as a secret. */
async function newest({ app, ledger }: Run, to: string, kind: string, pattern: RegExp): Promise<string> {
  const rows = await app.platform.db
    .selectFrom('messages')
    .where('recipient', '=', to)
    .orderBy('id', 'desc')
    .select('body')
    .execute();
  const texts = rows.map(({ body }) => (body === null ? '' : app.platform.sealer.unseal(body)));
  const found = texts.map((text) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
  if (found === undefined) throw new Error(`no ${kind} was sent to ${to}`);
  return ledger.add(kind, found);
}

const newestCode = (run: Run, to: string) => newest(run, to, 'code', /(?<!\d)(\d{5})(?!\d)/);
const newestLink = (run: Run, to: string) => newest(run, to, 'link', /#([\w-]{43})/);

/**
 * Signs up with wrong and right PINs, logs in, resets the password, gets blocked, and lifts the block with the link.
 */
export async function signUpAndReset(run: Run, username: string): Promise<void> {
  const { ledger } = run;
  const visitor = run.visitor();
  const form = signUpForm(username);
  const { body } = await succeed(visitor.post('/users/register', form));
  const pin = await newestCode(run, username);
  await visitor.post('/users/verify_username', { userTag: body.userTag, pin: ledger.add('code', otherThan(pin)) });
  await visitor.post('/users/login', { username, password: PASSWORD });
  await succeed(visitor.post('/users/verify_username', { userTag: body.userTag, pin }));
  await visitor.post('/users/register', form);
  await visitor.post('/users/login', { username, password: ledger.add('password', `Wrong-for-${username}`) });
  await succeed(visitor.post('/users/login', { username, password: PASSWORD }));
  await succeed(visitor.post('/users/logout'));
  run.app.clock.advance(60);
  const asked = await succeed(visitor.post('/reset_password/request', { username }));
  const code = await newestCode(run, username);
  for (let wrong = 1; wrong <= 10; wrong += 1) {
    const pin = ledger.add('code', otherThan(code, wrong * 7));
    await visitor.post('/reset_password/otp', { userTag: asked.body.data.tag, pin });
  }
  await visitor.post('/reset_password/otp', { userTag: asked.body.data.tag, pin: code });
  const otpTag = await newestLink(run, username);
  await visitor.post('/reset_password/do', { otpTag, newPassword: 'short' });
  await succeed(visitor.post('/reset_password/do', { otpTag, newPassword: NEW_PASSWORD }));
  await visitor.post('/reset_password/do', { otpTag, newPassword: NEW_PASSWORD });
  run.app.clock.advance(60);
  const again = await succeed(visitor.post('/reset_password/request', { username }));
  const right = { userTag: again.body.data.tag, pin: await newestCode(run, username) };
  const earned = await succeed(visitor.post('/reset_password/otp', right));
  await succeed(visitor.post('/reset_password/do', { otpTag: earned.body.data.tag, newPassword: PASSWORD }));
}

/** Sets up a second factor, logs in with each kind of code, wrong and right, and changes the password. */
export async function staffAndSecondFactor(run: Run): Promise<void> {
  const { app, ledger } = run;
  const { username } = await buildPerson(app, { perms: ['KADMIN'] });
  const staff = run.visitor();
  const right = { username, password: TEST_PASSWORD };
  await succeed(staff.post('/users/login', right));
  await staff.post('/users/second_factor/begin', { password: ledger.add('password', 'Wrong-at-the-begin-1') });
  const { body: begun } = await succeed(staff.post('/users/second_factor/begin', { password: TEST_PASSWORD }));
  const code = () => ledger.add('app code', codeOf(app, begun.secret));
  await staff.post('/users/second_factor/confirm', { code: ledger.add('app code', wrongCode(app, begun.secret)) });
  const confirmed = await succeed(staff.post('/users/second_factor/confirm', { code: code() }));
  nextStep(app);
  const handle = async (caller: TestCaller) => (await caller.post('/users/login', right)).body.handle;
  const other = run.visitor();
  await other.post('/users/second_factor', { handle: await handle(other), code: wrongCode(app, begun.secret) });
  await succeed(other.post('/users/second_factor', { handle: await handle(other), code: code() }));
  const [recoveryCode] = confirmed.body.recoveryCodes;
  const third = run.visitor();
  await succeed(third.post('/users/second_factor', { handle: await handle(third), code: recoveryCode }));
  await third.post('/users/second_factor', { handle: await handle(third), code: recoveryCode });
  const change = { password: TEST_PASSWORD, newPassword: ledger.add('password', 'Chapati-2029-mandazi') };
  await third.post('/users/password', { ...change, password: ledger.add('password', 'Wrong-at-the-change-1') });
  await succeed(third.post('/users/password', change));
}

/** From an invoice to the money, including the desk, an upload and a document being viewed. */
export async function mainJob({ app, visitor }: Run): Promise<void> {
  await buildSettledCase(app);
  const { id: businessId } = await buildBusiness(app);
  const person = await buildPerson(app, { perms: ['BIDA'], businessId });
  const client = visitor();
  await succeed(client.post('/users/login', { username: person.username, password: TEST_PASSWORD }));
  const invoice = await buildReadyInvoice(app, { ...person, businessId });
  await succeed(upload(client, { invoiceTag: invoice.tag, typeId: 4 }, samplePdf()));
  await succeed(client.post(`/applications/${invoice.tag}/submit`, undefined, { 'idempotency-key': 'once' }));
  await succeed(client.get('/users/session'));
}

/** Sends the waiting messages to a gateway that quotes the messages that it refuses. */
export async function deliver({ app }: Run): Promise<void> {
  const { sms } = app.platform.config;
  if (sms === undefined) throw new Error('the settings name no provider');
  const waiting = await app.platform.db.selectFrom('messages').where('channel', '=', 'sms').select('id').execute();
  for (const { id } of waiting) await deliverMessage(app.platform, smsProvider(sms), id);
}

/**
 * Calls every endpoint as a visitor, a client and staff, with secrets in right and wrong places: unknown fields, an
 * unreadable body, an overlong one, the query, the path and headers. Returns the number of refusals.
 */
export async function everyRefusal(run: Run): Promise<number> {
  const { app, ledger } = run;
  const marker = ledger.add('password', 'Marker-2026-nsenene');
  const token = ledger.add('cookie', 'Marker-token-of-43-characters-xxxxxxxxxxxxx');
  const stuffed = { password: marker, newPassword: marker, pin: marker, token, otpTag: marker };
  const bodies = [JSON.stringify(stuffed), `{"password":"${marker}`, JSON.stringify({ password: marker.repeat(4000) })];
  const headers = { authorization: `Bearer ${token}`, 'x-api-key': token, 'content-type': 'application/json' };
  const calls = everyCall(encodeURIComponent(marker), `token=${token}&password=${marker}`).flatMap((call) => [
    ...(call.method === 'GET' ? [{ ...call, headers }] : bodies.map((payload) => ({ ...call, headers, payload }))),
    { ...call, headers: { ...headers, 'sec-fetch-site': 'cross-site' } },
  ]);
  const callers = await someCallers(run, token);
  let refusals = 0;
  for (const [nth, call] of calls.entries()) {
    // The short form makes each call as only one of the callers, in turn.
    for (const caller of full ? callers : callers.slice(nth % callers.length).slice(0, 1)) {
      const { status } = await caller.call(call);
      if (status >= 400) refusals += 1;
    }
  }
  await app.server.inject({ method: 'GET', url: `${API_ROOT}/nowhere/${token}?password=${marker}` });
  return refusals;
}

/** Every method and path of every endpoint except logout, with this value for each parameter. */
function everyCall(parameter: string, query: string) {
  return Object.values<Endpoint>(endpoints)
    .flatMap(({ method, path, aliases = [] }) => [{ method, path }, ...aliases])
    .filter(({ path }) => path !== '/users/logout')
    .map(({ method, path }) => ({ method, url: `${path.replaceAll(/:\w+/g, parameter)}?${query}` }));
}

/** A visitor with an unknown cookie, a client, and staff. */
async function someCallers(run: Run, planted: string): Promise<readonly TestCaller[]> {
  const nobody = run.visitor();
  nobody.cookies.set('kasente_session', planted);
  const callers = [nobody];
  for (const perms of [['BIDA'], ['KSTAF']] as const) {
    const { username } = await buildPerson(run.app, { perms });
    const caller = run.visitor();
    await succeed(caller.post('/users/login', { username, password: TEST_PASSWORD }));
    callers.push(caller);
  }
  return callers;
}

/** Causes database errors that quote the refused row, including hashes. Returns the number of 500s. */
export async function faults(run: Run): Promise<number> {
  const { pool } = run.app.database.owner;
  const visitor = run.visitor();
  const { username } = await buildPerson(run.app);
  await pool.query('alter table persons add constraint planted check (false) not valid');
  await pool.query('alter table sessions add constraint planted check (false) not valid');
  const answers = [
    await visitor.post('/users/register', signUpForm(newEmail())),
    await visitor.post('/users/register', signUpForm(newPhone())),
    await visitor.post('/users/login', { username, password: TEST_PASSWORD }),
  ];
  await pool.query('alter table persons drop constraint planted');
  await pool.query('alter table sessions drop constraint planted');
  return answers.filter(({ status }) => status === 500).length;
}
