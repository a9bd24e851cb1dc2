import { beforeEach, expect, it } from 'vitest';
import { MINUTE_SECONDS } from '#contract/time/durations.ts';
import { buildOfficer, eventsOf, messagesTo, type PayableCase, type Someone } from '#testing/case-builders.ts';
import { followDue, railOfTest, releaseToRail, transfersOf } from './transfers.harness.ts';
import { lateMessage } from './transfers.messages.ts';
import { selectTransfer } from './transfers.queries.ts';
import { sweepTransfers } from './transfers-sweep.service.ts';

/** Many late payouts at once: each person gets a single message about all of them, and hears of each only once. */

const PAYOUTS = 7;

const { app, provider } = railOfTest();
let admin: Someone;
let built: readonly PayableCase[];
beforeEach(async () => {
  provider.fate = 'waiting';
  const released: PayableCase[] = [];
  for (let payout = 0; payout < PAYOUTS; payout += 1) released.push(await releaseToRail(app));
  built = released;
  await followDue(app);
  admin = await buildOfficer(app, { perms: ['KADMIN'] });
  app.clock.advance(31 * MINUTE_SECONDS);
});

const late = async (to: Pick<Someone, 'person'>) =>
  (await messagesTo(app, to)).filter(({ body }) => body.includes('do not know whether'));

it('an administrator reads how many, how much, the first five and where to look; a releaser of their own one', async () => {
  await sweepTransfers(app.platform);
  const references: string[] = [];
  for (const one of built) references.push((await transfersOf(app, one))[0]?.reference ?? '');
  const [message, ...others] = await late(admin);
  expect(others).toEqual([]);
  expect(message?.subject).toBe('We do not know whether 7 payments went through');
  expect(message?.body).toContain('whether 7 payments went through: to clients UGX 5,607,000. The first: UGX 801,000,');
  expect(references.filter((reference) => message?.body.includes(reference))).toEqual(references.slice(0, 5));
  expect(message?.body).toMatch(
    /And 2 more\. Do not pay or record any of them another way\. Look under Payouts\..*\/payouts$/,
  );
  for (const [index, one] of built.entries()) {
    const [own, ...more] = await late(one.payer);
    expect(more).toEqual([]);
    expect(own?.subject).toBe('We do not know whether UGX 801,000 was paid');
    expect(own?.body).toContain(references[index]);
  }
});

it('payouts, requests to pay and files are summed apart, and each is named as it is asked for', async () => {
  const [one] = built;
  const row = one && (await selectTransfer(app.platform.db, (await transfersOf(app, one))[0]?.tag ?? ''));
  if (row === undefined) throw new Error('there is no transfer');
  const asked = { ...row, direction: 'in', amount: 5_000_00 } as const;
  const filed = { ...row, nextAskAt: null, currency: 'USD', fileReference: 'ABCD2345' };
  const { body } = lateMessage(app.platform, 'grace@kasente.test', [row, asked, filed]);
  expect(body).toContain('to clients UGX 801,000; from clients UGX 5,000; to clients USD 801,000. The first:');
  expect(body).toContain(`UGX 5,000, MTN mobile money ${row.reference}; USD 801,000, MTN mobile money ABCD-2345.`);
});

it('two workers at once tell of each once', async () => {
  await Promise.all([sweepTransfers(app.platform), sweepTransfers(app.platform)]);
  await sweepTransfers(app.platform);
  expect(await late(admin)).toHaveLength(1);
  for (const one of built) {
    expect(await late(one.payer)).toHaveLength(1);
    const actions = (await eventsOf(app, one)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'transfer.late')).toHaveLength(1);
  }
});

it('a worker that is killed before its end has told nobody, and the next tells all', async () => {
  let messages = 0;
  const seal = (body: string) => {
    messages += 1;
    if (messages === 3) throw new Error('killed');
    return app.platform.sealer.seal(body);
  };
  const killed = { ...app.platform, sealer: { ...app.platform.sealer, seal } };
  await expect(sweepTransfers(killed)).rejects.toThrow('killed');
  expect(await late(admin)).toEqual([]);
  await sweepTransfers(app.platform);
  expect(await late(admin)).toHaveLength(1);
  for (const one of built) expect(await late(one.payer)).toHaveLength(1);
});
