import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, switchesOf } from '#simulators/ground/calls.harness.ts';
import { mtnAt } from '#simulators/mtn/mtn.harness.ts';
import { type RunningSimulator, startSimulator } from '#simulators/start.ts';

/** The page of a simulated phone. */

const SARAH = '256772345678';
let simulator: RunningSimulator;
let mtn: ReturnType<typeof mtnAt>;
let switches: ReturnType<typeof switchesOf>;

beforeAll(async () => {
  simulator = await startSimulator('mtn');
  mtn = mtnAt(simulator.url);
  switches = switchesOf(simulator.url);
  await switches.hold();
  await switches.float(1_000_000);
  await switches.wallets({ msisdn: SARAH, name: 'Sarah <b>Nabirye</b>', balance: 5000 });
});
afterAll(() => simulator.stop());

const phone = (path = '', number = '0772345678') => call('GET', `${simulator.url}/phone/${number}${path}`);
const press = (path: string, form: Readonly<Record<string, string>>) =>
  call('POST', `${simulator.url}/phone/${SARAH}${path}`, { body: new URLSearchParams(form).toString() });
const statusOf = async (id: string) => (await mtn.requestStatus(id)).body;

describe('the phone', () => {
  it('shows its owner and messages, with markup escaped', async () => {
    await mtn.transfer(SARAH, { body: { payeeNote: 'Kasente' } });
    await switches.advance(0);
    const { text, status } = await phone();
    expect(status).toBe(200);
    expect(text).toContain('You have received UGX 1,000. Kasente. Transaction ID');
    expect(text).toContain('UGX 6,000');
    expect(text).toContain('Sarah &lt;b&gt;Nabirye&lt;/b&gt;');
    expect(text).not.toMatch(/<b>|<script|https?:\/\//);
  });

  it('is in the list, and opens by both forms of its number and no other', async () => {
    expect((await call('GET', `${simulator.url}/phone`)).text).toContain(`href="/phone/${SARAH}"`);
    expect((await phone('', SARAH)).status).toBe(200);
    expect((await phone('', '0772000000')).status).toBe(404);
  });

  it('approves a request with its PIN, which moves the money once', async () => {
    const before = await switches.book();
    const { reference } = await mtn.request(SARAH);
    expect(await statusOf(reference)).toMatchObject({ status: 'PENDING' });
    expect((await phone()).text).toContain(`/requests/${reference}`);
    expect((await phone(`/requests/${reference}`)).text).toContain('Pay UGX 1,000?');
    const wrong = await press(`/requests/${reference}`, { answer: 'approve', pin: '54321' });
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('That PIN is wrong.')]);
    expect(await statusOf(reference)).toMatchObject({ status: 'PENDING' });
    const both = await Promise.all(
      [1, 2].map(() => press(`/requests/${reference}`, { answer: 'approve', pin: '12345' })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await statusOf(reference)).toMatchObject({ status: 'SUCCESSFUL', payer: { partyId: SARAH } });
    const after = await switches.book();
    expect(after.accounts.collection - before.accounts.collection).toBe(1000);
    expect(after.sums.held).toBe(after.sums.funded);
  });

  it('rejects a request, and lets one expire after five minutes', async () => {
    const rejected = await mtn.request(SARAH);
    const expired = await mtn.request(SARAH);
    const said = await press(`/requests/${rejected.reference}`, { answer: 'reject' });
    expect(said.text).toContain('Nothing was paid.');
    expect(await statusOf(rejected.reference)).toMatchObject({ status: 'FAILED', reason: 'APPROVAL_REJECTED' });
    await switches.advance(299);
    expect(await statusOf(expired.reference)).toMatchObject({ status: 'PENDING' });
    await switches.advance(1);
    expect(await statusOf(expired.reference)).toMatchObject({ status: 'FAILED', reason: 'EXPIRED' });
    const late = await press(`/requests/${expired.reference}`, { answer: 'approve', pin: '12345' });
    expect(late.text).toContain('too late');
  });

  it('fails a request that it cannot pay', async () => {
    const { reference } = await mtn.request(SARAH, { body: { amount: '4999999' } });
    const said = await press(`/requests/${reference}`, { answer: 'approve', pin: '12345' });
    expect(said.text).toContain('You do not have enough money');
    expect(await statusOf(reference)).toMatchObject({ reason: 'NOT_ENOUGH_FUNDS' });
  });

  it('gets no request for an unknown number', async () => {
    const { reference } = await mtn.request('256772999999');
    expect(await statusOf(reference)).toMatchObject({ status: 'FAILED', reason: 'PAYER_NOT_FOUND' });
  });

  it('answers only its own requests', async () => {
    await switches.wallets({ msisdn: '256772000009', name: 'Another Phone' });
    const { reference } = await mtn.request('256772000009');
    await press(`/requests/${reference}`, { answer: 'reject' });
    expect(await statusOf(reference)).toMatchObject({ status: 'PENDING' });
  });

  it('pays without a request, with a reference in the statement', async () => {
    expect((await phone('/pay')).text).toContain('Amount in UGX');
    const pay = (form: Record<string, string>) => press('/payments', { pin: '12345', reference: 'ACDE-FGHJ', ...form });
    expect((await pay({ amount: '10.5' })).text).toContain('whole shillings');
    expect((await pay({ amount: '100', pin: '1' })).text).toContain('PIN is wrong');
    expect((await pay({ amount: '999,999' })).text).toContain('enough money');
    expect((await pay({ amount: '1,500' })).text).toContain('You have paid UGX 1,500.');
    const line = (await switches.statement('?account=collection')).trim().split('\r\n').at(-1);
    expect(line).toMatch(/,Payment,256772345678,Collection account,.*,ACDE-FGHJ,1500,UGX,0,\d+$/);
  });

  it('gets a notification only about a paid request', async () => {
    const { reference } = await mtn.request(SARAH, { body: { amount: '1' } });
    const headers = await mtn.headersOf('collection');
    const notify = (notificationMessage: string) =>
      call('POST', `${simulator.url}/collection/v1_0/requesttopay/${reference}/deliverynotification`, {
        headers,
        body: { notificationMessage },
      });
    expect((await notify('Thank you')).status).toBe(400);
    await press(`/requests/${reference}`, { answer: 'approve', pin: '12345' });
    expect((await notify('a'.repeat(161))).status).toBe(400);
    expect((await notify('Thank you Sarah')).status).toBe(200);
    expect((await phone()).text).toContain('Thank you Sarah');
  });
});
