import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { entriesOf } from '#server/payments/payments.harness.ts';
import { startSimulator } from '#simulators/start.ts';
import { type BuiltCase, buildDisbursedCase, buildOfficer, type Someone } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { importAndMatch, referenceOf } from './statements.harness.ts';

/** The server imports the simulators' statements unchanged. */

const app = appOfFile();
let officer: Someone;
let owed: Readonly<Record<'mtn' | 'airtel', BuiltCase>>;
beforeAll(async () => {
  owed = { mtn: await buildDisbursedCase(app), airtel: await buildDisbursedCase(app) };
  // The simulators use the machine's time.
  app.clock.advance((Date.now() - app.clock.now().getTime()) / 1000);
  officer = await buildOfficer(app);
});

it.each([
  ['mtn', '256772345678', '12345'],
  ['airtel', '256702345678', '1234'],
] as const)('a statement of %s credits the application whose reference it names', async (rail, msisdn, pin) => {
  const built = owed[rail];
  const simulator = await startSimulator(rail);
  onTestFinished(() => simulator.stop());
  const put = { method: 'PUT', headers: { 'content-type': 'application/json' } };
  const wallets = JSON.stringify([{ msisdn, name: 'Sarah Nabirye', balance: 9_000 }]);
  expect((await fetch(`${simulator.url}/simulator/wallets`, { ...put, body: wallets })).status).toBe(200);
  const payment = { pin, amount: '1,500', reference: await referenceOf(app, built) };
  const paid = await fetch(`${simulator.url}/phone/0${msisdn.slice(3)}/payments`, {
    method: 'POST',
    body: new URLSearchParams(payment),
  });
  expect(await paid.text()).toContain('You have paid UGX 1,500.');
  const statement = await (await fetch(`${simulator.url}/simulator/statement.csv`)).text();
  expect(await importAndMatch(app, officer, statement, { rail })).toMatchObject({ lines: 1, matched: 1, toAssign: 0 });
  expect((await entriesOf(officer, built.tag)).at(-1)).toMatchObject({
    kind: 'receipt',
    amount: 1_500,
    method: rail,
  });
});
