import { expect, it } from 'vitest';
import {
  enterPin,
  enterResetCode,
  newestCode,
  newPhone,
  otherThan,
  register,
  requestReset,
} from '#server/accounts/accounts.harness.ts';
import { buildEnrolled, codeOf, firstStep, nextStep, secondStep } from '#server/accounts/own-account.harness.ts';
import { anchorAudit, verifyAudit } from '#server/audit/audit.service.ts';
import { createSealer, type Sealer } from '#server/secrets/sealer.ts';
import { appOfFile } from '#testing/test-app.ts';
import { resealSecondFactors } from './resealing.service.ts';

/** Changing the server's secret as docs/security.md describes loses nobody's second factor. */

const [OLD, NEW] = ['the old secret of the server, for tests', 'the new secret of the server, for tests'];

let current = createSealer(OLD);
const sealer: Sealer = {
  digest: (text) => current.digest(text),
  digests: (text) => current.digests(text),
  seal: (text) => current.seal(text),
  unseal: (sealed) => current.unseal(sealed),
};
const app = appOfFile({}, { sealer });

it('second factors, recovery codes and anchors survive a change of the secret; resealed factors don’t need the old one', async () => {
  current = createSealer(OLD);
  const { person, secret, recoveryCodes } = await buildEnrolled(app);
  await anchorAudit(app.platform);
  const logInWith = async (code: string) =>
    (await secondStep(app.visitor(), await firstStep(app.visitor(), person.username), code)).status;

  current = createSealer(NEW);
  expect(await logInWith(codeOf(app, secret))).toBe(500);
  expect(await resealSecondFactors(app.platform)).toEqual({ resealed: 0, unreadable: 1 });
  expect((await verifyAudit(app.platform)).faults).toHaveLength(1);

  current = createSealer(NEW, OLD);
  expect(await logInWith(codeOf(app, secret))).toBe(200);
  expect(await logInWith(recoveryCodes[0] ?? '')).toBe(200);
  expect(await logInWith(recoveryCodes[0] ?? '')).toBe(422);
  expect((await verifyAudit(app.platform)).faults).toEqual([]);
  expect(await resealSecondFactors(app.platform)).toEqual({ resealed: 1, unreadable: 0 });

  current = createSealer(NEW);
  nextStep(app);
  expect(await logInWith(codeOf(app, secret))).toBe(200);
});

it('after a change of the secret, the server accepts earlier codes and counts only wrong ones', async () => {
  current = createSealer(OLD);
  const phone = newPhone();
  const { userTag } = (await register(app, phone)).body;
  const pin = await newestCode(app, phone);

  current = createSealer(NEW, OLD);
  expect((await enterPin(app, userTag, otherThan(pin))).body.code).toBe('WRONG_PIN');
  expect((await enterPin(app, userTag, pin)).status).toBe(200);

  current = createSealer(OLD);
  const { tag } = (await requestReset(app, phone)).body.data;
  const code = await newestCode(app, phone);

  current = createSealer(NEW, OLD);
  expect((await enterResetCode(app, tag, code)).status).toBe(200);
});
