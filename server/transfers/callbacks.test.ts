import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { type PayableCase, statusOf } from '#testing/case-builders.ts';
import { createTestApp } from '#testing/test-app.ts';
import {
  callBack,
  checkedRailOfTest,
  followDue,
  followToTheEnd,
  releaseToRail,
  transfersOf,
} from './transfers.harness.ts';

/** A provider's callback only prompts us to ask. */

const { app, provider } = checkedRailOfTest();
let built: PayableCase;
beforeEach(async () => {
  provider.fate = 'waiting';
  built = await releaseToRail(app);
});

const transfer = async () => {
  const [row] = await transfersOf(app, built);
  if (row === undefined) throw new Error('nothing was released');
  return row;
};

it('a callback has the provider asked at once, and changes nothing by itself', async () => {
  await followDue(app);
  app.clock.advance(5);
  await followDue(app);
  app.clock.advance(6);
  const { reference, next_ask_at: before } = await transfer();
  expect(before?.getTime()).toBeGreaterThan(app.clock.now().getTime());
  expect((await callBack(app, { reference, status: 'SUCCESSFUL' })).status).toBe(200);
  expect(await transfer()).toMatchObject({ state: 'sent', next_ask_at: app.clock.now() });
  await followDue(app);
  expect([await statusOf(app, built), (await transfer()).state]).toEqual(['Approved', 'sent']);
  provider.fate = 'paid';
  await followToTheEnd(app);
  expect(await statusOf(app, built)).toBe('Disbursed');
});

it('a callback asks once, even if it comes twice, again and again, or before the answer to the sending', async () => {
  await followDue(app);
  const asked = provider.calls.length;
  const { reference } = await transfer();
  for (let again = 0; again < 5; again += 1) expect((await callBack(app, { reference })).status).toBe(200);
  await followDue(app);
  expect(provider.calls.length).toBe(asked);
  app.clock.advance(60);
  await Promise.all(Array.from({ length: 10 }, () => callBack(app, { reference })));
  await followDue(app);
  await followDue(app);
  expect(provider.calls.length).toBe(asked + 1);
});

it.each([
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'text/plain',
  'text/xml',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'no media type',
  '',
])('a callback is read as JSON, whatever its content type says: %j', async (type) => {
  await followDue(app);
  app.clock.advance(5);
  await followDue(app);
  app.clock.advance(6);
  const { reference } = await transfer();
  expect((await callBack(app, 'not JSON', { type })).status).toBe(400);
  expect((await callBack(app, '', { type })).status).toBe(404);
  expect((await callBack(app, `\ufeff${JSON.stringify({ reference })}`, { type })).status).toBe(200);
  expect(await transfer()).toMatchObject({ next_ask_at: app.clock.now() });
});

it.each(['PUT', 'POST'])('a callback that is forged, late or sent elsewhere is not found: %s', async (method) => {
  await followDue(app);
  app.clock.advance(60);
  const { reference, rail } = await transfer();
  const before = await transfer();
  for (const [body, given] of [
    [{ reference: randomUUID() }, {}],
    [{ reference: 'a reference' }, {}],
    [{ reference: [reference] }, {}],
    [{}, {}],
    [[], {}],
    [{ reference }, { rail: 'another' }],
    [{ reference }, { host: 'evil.test' }],
    [{ reference }, { host: 'kasente.test:8080' }],
  ] as const) {
    const answer = await callBack(app, body, { method, rail, ...given });
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  }
  expect(await transfer()).toEqual(before);
  provider.fate = 'paid';
  await followToTheEnd(app);
  expect((await callBack(app, { reference }, { method })).status).toBe(404);
});

it('a callback is not heard where the server has no public address, and floods are blunted', async () => {
  const without = await createTestApp({}, { rails: app.platform.rails });
  onTestFinished(() => without.close());
  const { reference } = await transfer();
  expect((await callBack(without, { reference })).status).toBe(404);
  const codes = new Set<number>();
  for (let call = 0; call < 601; call += 1) codes.add((await callBack(app, { reference: randomUUID() })).status);
  expect([...codes]).toEqual([404, 429]);
});
