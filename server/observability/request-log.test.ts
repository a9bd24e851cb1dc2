import { expect, it } from 'vitest';
import { buildSignedIn } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { createLog } from './logging.ts';

/**
 * What an operator can read about each call: who requested what, from where, and what was refused (docs/operations.md,
 * 'Logs').
 */

const lines: string[] = [];
const app = appOfFile({}, { log: createLog('info', { write: (line) => lines.push(line) }) });

function lastAnswered() {
  const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');
  return answered.at(-1);
}

it('the log has a line for each call, with its code if it was refused', async () => {
  const { person, caller } = await buildSignedIn(app, { perms: ['BIDA'] });
  await caller.post('/persons', {});
  expect(lastAnswered()).toMatchObject({
    method: 'POST',
    route: '/api/v1/persons',
    status: 403,
    code: 'FORBIDDEN',
    person: person.tag,
    address: '127.0.0.1',
    reqId: expect.stringMatching(/^[\da-f-]{36}$/),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  await app.visitor().post('/invoices', {});
  expect(lastAnswered()).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN', person: null });
  await caller.get('/sectors');
  expect(lastAnswered()).toMatchObject({ status: 200, code: null });
});

it('a call stays one line of the log, whatever it contains', async () => {
  const before = lines.length;
  await app.visitor().get('/sectors?search=%0A%7B%22level%22%3A%22forged%22%7D');
  for (const line of lines.slice(before)) expect(JSON.parse(line)).not.toHaveProperty('level', 'forged');
});
