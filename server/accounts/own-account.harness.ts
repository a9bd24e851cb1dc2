import { TOTP } from 'otpauth';
import { buildSignedIn, type SignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import type { Answer, TestApp, TestCaller } from '#testing/test-app.ts';
import { logIn } from './accounts.harness.ts';

/** Shared by the tests of the own account: an authenticator app, and the two steps of a login. */

const STEP_SECONDS = 30;

/** An authenticator app's code for a secret, a number of time steps from now. */
export function codeOf(app: TestApp, secret: string, stepsFromNow = 0): string {
  const timestamp = app.clock.now().getTime() + stepsFromNow * STEP_SECONDS * 1000;
  return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS }).generate({ timestamp });
}

/** Advances the clock to the next code, so that no code is used twice. */
export function nextStep(app: TestApp): void {
  app.clock.advance(STEP_SECONDS);
}

export interface Enrolled extends SignedIn {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets up a second factor over HTTP, in an existing session. */
export async function enrol(app: TestApp, { person, caller }: SignedIn): Promise<Enrolled> {
  const begun = await caller.post('/users/second_factor/begin', { password: TEST_PASSWORD });
  if (begun.status !== 200) throw new Error(`begin answered ${begun.status}: ${JSON.stringify(begun.body)}`);
  const { secret } = begun.body;
  const confirmed = await caller.post('/users/second_factor/confirm', { code: codeOf(app, secret) });
  if (confirmed.status !== 200) throw new Error(`confirm answered ${confirmed.status}`);
  nextStep(app);
  return { person, caller, secret, recoveryCodes: confirmed.body.recoveryCodes };
}

/** Staff with a second factor and an unused next code. */
export async function buildEnrolled(app: TestApp, perms: 'KADMIN' | 'KSTAF' = 'KSTAF'): Promise<Enrolled> {
  return enrol(app, await buildSignedIn(app, { perms: [perms] }));
}

/** The first step of a login with the right password. Returns the handle of the second. */
export async function firstStep(caller: TestCaller, username: string, password = TEST_PASSWORD): Promise<string> {
  const { status, body } = await logIn(caller, username, password);
  if (status !== 403 || body.code !== 'SECOND_FACTOR') throw new Error(`login answered ${status} ${body.code}`);
  return body.handle;
}

export function secondStep(caller: TestCaller, handle: string, code: string): Promise<Answer> {
  return caller.post('/users/second_factor', { handle, code });
}

/** Six digits that are not a code near now. */
export function wrongCode(app: TestApp, secret: string, nth = 0): string {
  const near = new Set([-1, 0, 1].map((steps) => codeOf(app, secret, steps)));
  const others = Array.from({ length: nth + 4 }, (_, code) => String(code).padStart(6, '0'));
  return others.filter((code) => !near.has(code))[nth] ?? '';
}
