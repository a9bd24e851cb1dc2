import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { logIn, newPhone, PASSWORD, register } from '#server/accounts/accounts.harness.ts';
import { buildEnrolled } from '#server/accounts/own-account.harness.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { buildDrafter } from '#testing/uploads.ts';

/** Failures with fields besides the envelope's match the OpenAPI document. */

const app = appOfFile();

it.each([
  [
    'NOT_READY',
    async () => {
      const { caller, invoice } = await buildDrafter(app);
      return caller.post(`/applications/${invoice.tag}/submit`, {});
    },
  ],
  ['SECOND_FACTOR', async () => logIn(app.visitor(), (await buildEnrolled(app)).person.username, TEST_PASSWORD)],
  [
    'PIN_PENDING',
    async () => {
      const phone = newPhone();
      await register(app, phone);
      return logIn(app.visitor(), phone, PASSWORD);
    },
  ],
])('%s is', async (code, failed) => {
  const document = (await app.visitor().get('/openapi.json')).body;
  const isFailure = new Ajv2020({ strict: false }).compile(document.components.schemas.Failure);
  const { body } = await failed();
  expect(body.code).toBe(code);
  expect([isFailure(body), isFailure.errors]).toEqual([true, null]);
  expect(isFailure({ ...body, anythingElse: 1 })).toBe(false);
});
