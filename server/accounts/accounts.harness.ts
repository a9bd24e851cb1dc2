import { randomInt } from 'node:crypto';
import type { Answer, TestApp, TestCaller } from '#testing/test-app.ts';

/** Shared by the tests of accounts: signing up over HTTP, and reading messages. */

export const PASSWORD = 'Matooke-2026-katogo';
export const NEW_PASSWORD = 'Rolex-2027-chapati';

let counter = randomInt(10_000_000);

/** A phone number that nothing else in the run uses. */
export function newPhone(): string {
  counter += 1;
  return `077${String(counter % 10_000_000).padStart(7, '0')}`;
}

export function newEmail(): string {
  counter += 1;
  return `person${counter}@kasente.test`;
}

/** Posts a sign-up for a phone number or an e-mail address. */
export function register(app: TestApp, username: string, given: Record<string, unknown> = {}): Promise<Answer> {
  return app.visitor().post('/users/register', { ...signUpForm(username), ...given });
}

/** The body of a sign-up for a phone number or an e-mail address. */
export function signUpForm(username: string) {
  const contact = username.includes('@') ? { email: username } : { phone: username };
  return { password: PASSWORD, gender: 'female', industryId: 1, districtId: '2', ...contact };
}

export interface SentMessage {
  readonly to: string;
  readonly channel: 'email' | 'sms';
  readonly subject: string;
  readonly body: string;
  readonly createdAt: string;
}

/** The messages to a username, oldest first. */
export async function messagesTo(app: TestApp, username: string): Promise<SentMessage[]> {
  const { body } = await app.visitor().get('/dev/messages');
  const messages: SentMessage[] = body;
  return messages.filter(({ to }) => to === username).reverse();
}

/** The code in the newest message that has one. */
export async function newestCode(app: TestApp, username: string): Promise<string> {
  const codes = (await messagesTo(app, username)).map(({ body }) => /(?<!\d)\d{5}(?!\d)/.exec(body)?.[0]);
  const code = codes.filter((found) => found !== undefined).at(-1);
  if (code === undefined) throw new Error(`no code was sent to ${username}`);
  return code;
}

/** The token in the newest link to /reset-password. */
export async function newestLink(app: TestApp, username: string): Promise<string> {
  const bodies = (await messagesTo(app, username)).map(({ body }) => body);
  const token = bodies.map((body) => /\/reset-password#([\w-]{43})(?= )/.exec(body)?.[1]).findLast(Boolean);
  if (token === undefined) throw new Error(`no link was sent to ${username}`);
  return token;
}

/** A code other than the given one. */
export function otherThan(code: string, step = 1): string {
  return String((Number(code) + step) % 100_000).padStart(5, '0');
}

export function enterPin(app: TestApp, userTag: string, pin: string): Promise<Answer> {
  return app.visitor().post('/users/verify_username', { userTag, pin });
}

export function enterResetCode(app: TestApp, userTag: string, pin: string): Promise<Answer> {
  return app.visitor().post('/reset_password/otp', { userTag, pin });
}

export function requestReset(app: TestApp, username: string): Promise<Answer> {
  return app.visitor().post('/reset_password/request', { username });
}

export function doReset(app: TestApp, otpTag: string, newPassword: string = NEW_PASSWORD): Promise<Answer> {
  return app.visitor().post('/reset_password/do', { otpTag, newPassword });
}

export function logIn(caller: TestCaller, username: string, password: string = PASSWORD): Promise<Answer> {
  return caller.post('/users/login', { username, password });
}

/** A person who signed up and entered the PIN. */
export async function signUp(app: TestApp, username: string = newPhone()): Promise<string> {
  const { body } = await register(app, username);
  const verified = await enterPin(app, body.userTag, await newestCode(app, username));
  if (verified.status !== 200) throw new Error(`verify answered ${verified.status}`);
  return username;
}

/** Requests a reset code and exchanges it for the handle that sets a new password. */
export async function earnReset(app: TestApp, username: string): Promise<string> {
  const requested = await requestReset(app, username);
  const { body } = await enterResetCode(app, requested.body.data.tag, await newestCode(app, username));
  return body.data.tag;
}

/** A person's row. */
export function personOf(app: TestApp, username: string) {
  return app.platform.db.selectFrom('persons').where('username', '=', username).selectAll().executeTakeFirst();
}

/** The actions of the audit events about a person, oldest first. */
export async function actionsOf(app: TestApp, username: string): Promise<string[]> {
  const person = await personOf(app, username);
  const events = await app.platform.db
    .selectFrom('audit_events')
    .where('subject_tag', '=', person?.tag ?? '')
    .orderBy('id')
    .select('action')
    .execute();
  return events.map(({ action }) => action);
}

/** A reply in which opaque handles are blanked, for comparing known and unknown usernames. */
export function blanked(answer: Answer): unknown {
  const text = JSON.stringify({ status: answer.status, body: answer.body, retryAfter: answer.headers['retry-after'] });
  return JSON.parse(text.replaceAll(/"[\w-]{43}"/g, '"handle"'));
}

/**
 * The code of a username's open attempt, even if it was not sent. Finds it by trying all codes with the server's key.
 */
export async function untoldCode(app: TestApp, username: string): Promise<string> {
  const attempt = await app.platform.db
    .selectFrom('code_attempts')
    .where('recipient', '=', username)
    .where('closed_at', 'is', null)
    .selectAll()
    .executeTakeFirstOrThrow();
  const codes = Array.from({ length: 100_000 }, (_, code) => String(code).padStart(5, '0'));
  const code = codes.find((one) => app.platform.sealer.digest(`code:${attempt.id}:${one}`).equals(attempt.code_digest));
  if (code === undefined) throw new Error('the attempt has no code');
  return code;
}
