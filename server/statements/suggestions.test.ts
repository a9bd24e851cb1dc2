import { beforeAll, describe, expect, it } from 'vitest';
import { entriesOf, reverse } from '#server/payments/payments.harness.ts';
import { buildBusiness } from '#testing/builders.ts';
import { buildDisbursedCase, buildOfficer, type Someone, succeed } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { type GivenLine, referenceOf, takeIn, waitingLine } from './statements.harness.ts';

const app = appOfFile();
let officer: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
});

let next = 0;
/** Imports a line, and returns it as the officer sees it. */
async function receive(given: Partial<GivenLine>) {
  next += 1;
  const id = `S${next}`;
  await takeIn(app, officer, [{ id, amount: 50_000, ...given }]);
  const line = await waitingLine(officer, id);
  if (line === undefined) throw new Error(`${id} is not waiting`);
  return line;
}

/** A paid out application whose buyer has a name that no other business has. */
async function buildNamed(name: string) {
  const built = await buildDisbursedCase(app);
  await app.database.owner.db.updateTable('businesses').set({ name }).where('id', '=', built.buyerId).execute();
  return built;
}

describe('suggestions for received money', () => {
  it('name the application, the reasons, who paid and how much; the act takes them as they are', async () => {
    const built = await buildNamed('Umeme Limited');
    const line = await receive({ name: 'UMEME LTD', amount: 900_000 });
    const [first, ...others] = line.suggestions;
    expect(first).toEqual({
      tag: built.tag,
      reference: await referenceOf(app, built),
      invoiceNumber: built.invoiceNumber,
      client: expect.any(String),
      buyer: 'Umeme Limited',
      currency: 'UGX',
      outstanding: 900_000,
      amount: 900_000,
      payer: 'buyer',
      otherBuyer: null,
      reasons: ['buyer', 'amount'],
    });
    expect(others.every(({ reasons }) => reasons.join() === 'amount')).toBe(true);
    const part = { applicationTag: built.tag, amount: first?.amount, payer: first?.payer };
    await succeed(officer.caller.post(`/received_money/${line.tag}/assign`, { parts: [part] }));
    expect((await entriesOf(officer, built.tag)).at(-1)).toMatchObject({ amount: 900_000, payer: 'buyer' });
  });

  it('are three at most, those with the payer and the amount first', async () => {
    const buyer = await buildBusiness(app, { name: 'Roofings Rolling Mills', kind: 'buyer' });
    const built = [];
    for (let count = 0; count < 4; count += 1) built.push(await buildDisbursedCase(app));
    const ids = built.map(({ id }) => id);
    await app.database.owner.db.updateTable('invoices').set({ buyer_id: buyer.id }).where('id', 'in', ids).execute();
    const last = built[3];
    await succeed(
      officer.caller.post(`/applications/${last?.tag}/receipts`, {
        method: 'mtn',
        reference: 'Part 1',
        date: '2026-11-20',
        payer: 'buyer',
        amount: 123_000,
      }),
    );
    const { suggestions } = await receive({ name: 'ROOFINGS ROLLING', amount: 777_000 });
    expect(suggestions.map(({ tag, reasons }) => [tag, reasons])).toEqual([
      [last?.tag, ['buyer', 'amount']],
      [built[0]?.tag, ['buyer']],
      [built[1]?.tag, ['buyer']],
    ]);
  });

  it('say that the payer’s number is the client’s, and that the client paid', async () => {
    const built = await buildDisbursedCase(app);
    const number = `256${built.client.person.username.slice(1)}`;
    expect(await receive({ number, amount: 7_000 })).toMatchObject({
      suggestions: [{ tag: built.tag, reasons: ['number'], payer: 'client', otherBuyer: null }],
    });
  });

  it('warn that the payer looks like another buyer, as does the search', async () => {
    const [built] = [await buildNamed('Kakira Sugar'), await buildNamed('Mukwano Industries')];
    const details = `${await referenceOf(app, built)}X`;
    const line = await receive({ name: 'MUKWANO INDUSTRIES', details });
    expect(line.suggestions).toContainEqual(
      expect.objectContaining({ tag: built.tag, otherBuyer: 'Mukwano Industries', reasons: ['nearReference'] }),
    );
    const found = await officer.caller.get(
      `/received_money/${line.tag}/applications?searchPhrase=${encodeURIComponent(built.invoiceNumber)}`,
    );
    expect(found.body).toMatchObject([{ tag: built.tag, otherBuyer: 'Mukwano Industries', amount: 50_000 }]);
  });

  it('leave out applications of the reader’s business', async () => {
    const built = await buildNamed('Vision Group');
    const insider = await buildOfficer(app, { businessId: built.client.person.businessId });
    const { id, suggestions } = await receive({ name: 'VISION GROUP' });
    expect(suggestions).toMatchObject([{ tag: built.tag }]);
    expect(await waitingLine(insider, id)).toMatchObject({ suggestions: [], refusal: null });
  });

  it('leave out applications that were paid out after the payment', async () => {
    await buildNamed('Nile Breweries');
    expect(await receive({ name: 'NILE BREWERIES', date: '2026-11-19' })).toMatchObject({ suggestions: [] });
  });

  it('wait while the money is about to be sent back', async () => {
    await buildNamed('Movit Products');
    const { id, tag, suggestions } = await receive({ name: 'MOVIT PRODUCTS' });
    expect(suggestions).toHaveLength(1);
    const proposal = { amount: 50_000, reason: 'Sent to us by mistake' };
    await succeed(officer.caller.post(`/received_money/${tag}/return/propose`, proposal));
    expect(await waitingLine(officer, id)).toMatchObject({ suggestions: [] });
  });

  it('are not for the officer who took the money off, nor for a new one, who read why', async () => {
    const built = await buildNamed('Quality Chemicals');
    const { id, tag } = await receive({ name: 'QUALITY CHEMICALS' });
    const part = { applicationTag: built.tag, amount: 50_000, payer: 'buyer' };
    await succeed(officer.caller.post(`/received_money/${tag}/assign`, { parts: [part] }));
    const [, receipt] = await entriesOf(officer, built.tag);
    await succeed(reverse(officer, receipt?.tag ?? ''));
    expect(await waitingLine(officer, id)).toMatchObject({ suggestions: [], refusal: 'OWN_REVERSAL' });
    const fresh = await buildOfficer(app);
    expect(await waitingLine(fresh, id)).toMatchObject({ suggestions: [{ tag: built.tag }], refusal: null });
    const since = { officer_since: app.clock.now() };
    await app.platform.db.updateTable('persons').set(since).where('id', '=', fresh.person.id).execute();
    expect(await waitingLine(fresh, id)).toMatchObject({ suggestions: [], refusal: 'NEW_OFFICER' });
  });
});
