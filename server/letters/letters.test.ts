import { type RawBuilder, sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, describe, expect, it } from 'vitest';
import { paid } from '#server/payments/payments.harness.ts';
import { buildReadyInvoice } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildCaseClient,
  buildDeclinedCase,
  buildDisbursedCase,
  buildOfficer,
  buildSettledCase,
  buildSubmittedCase,
  MORE_TIME,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount } from '#testing/payout-builders.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';

/** The letters of an application as people get them: PDFs, read back with another library (pdf.js). */

const app = appOfFile();
let settled: BuiltCase;
beforeAll(async () => {
  settled = await buildSettledCase(app);
});

async function get(caller: TestCaller, path: string) {
  return caller.call({ method: 'GET', url: path });
}

/** The letter's text with each run of spaces as one space, and its number of pages. */
async function read(content: Buffer): Promise<{ text: string; pages: number }> {
  const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: true });
  return { text: text.replaceAll(/\s+/g, ' '), pages: totalPages };
}

async function letter(caller: TestCaller, path: string) {
  const answer = await get(caller, path);
  expect(answer.status).toBe(200);
  return { ...(await read(answer.raw)), answer };
}

/** Tampers with the database like a person with full rights. */
async function tamper(statement: RawBuilder<unknown>): Promise<void> {
  await app.database.owner.db.inTransaction(async (change) => {
    await sql`set local session_replication_role = replica`.execute(change);
    await statement.execute(change);
  });
}

const pathTo = {
  keyFacts: ({ tag }: { readonly tag: string }) => `/applications/${tag}/key_facts.pdf`,
  offerLetter: ({ tag }: { readonly tag: string }) => `/applications/${tag}/offer_letter.pdf`,
  evidence: ({ tag }: { readonly tag: string }) => `/desk/cases/${tag}/evidence.pdf`,
} as const;

describe('the key facts', () => {
  it('are what was accepted, with what is paid back when and by whom', async () => {
    const { client, invoiceNumber } = settled;
    const { text, pages, answer } = await letter(client.caller, pathTo.keyFacts(settled));
    expect(pages).toBe(1);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringContaining(`Key facts ${invoiceNumber}.pdf`),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    for (const said of [
      `Key facts Invoice ${invoiceNumber}`,
      'Cash received UGX 801,000.00',
      'UGX 99,000.00 (11 % of the amount applied for)',
      'Fee in per cent of the cash received 12.4 %',
      'Yearly rate of the fee 150.4 %',
      'Pay to MTN MoMo merchant 123456',
      'Repayment reference',
      'Pay back UGX 900,000.00 by 21 Dec 2026',
      'Who pays it back Your buyer pays us, or you do',
      'If it is late You still owe the full amount.',
      'not financed elsewhere',
      `When 20 Nov 2026, 12:00 By ${client.person.username}`,
      '1 of 1',
    ])
      expect(text).toContain(said);
  });

  it('are the same bytes for every reader, at any time', async () => {
    const mine = await get(settled.client.caller, pathTo.keyFacts(settled));
    const theirs = await get(settled.officer.caller, pathTo.keyFacts(settled));
    expect(theirs.raw.equals(mine.raw)).toBe(true);
  });

  it('are not there for a draft', async () => {
    const { tag } = await buildReadyInvoice(app, settled.client.person);
    expect((await get(settled.client.caller, pathTo.keyFacts({ tag }))).status).toBe(404);
  });
});

describe('once more time was accepted', () => {
  it('begins both letters with what it costs and the date that holds now', async () => {
    const built = await buildDisbursedCase(app);
    await succeed(onDesk(built.officer, built.tag, 'offer_extension', MORE_TIME));
    const second = await buildOfficer(app);
    const versionFor = async ({ caller }: Pick<Someone, 'caller'>): Promise<string> =>
      (await succeed(caller.get(`/applications/${built.tag}/extension`))).body.offer.version;
    await succeed(onDesk(second, built.tag, 'agree_extension', { keyFactsVersion: await versionFor(second) }));
    const body = { keyFactsVersion: await versionFor(built.client) };
    await succeed(built.client.caller.post(`/applications/${built.tag}/accept_extension`, body));
    for (const path of [pathTo.keyFacts(built), pathTo.offerLetter(built)]) {
      const { text } = await letter(built.client.caller, path);
      const said = [
        'More time to pay back Pay back UGX 963,000.00 By 5 Jan 2027, instead of 21 Dec 2026',
        'Fee for more time UGX 63,000.00 (7 % of that)',
        `By ${built.client.person.username} Version ${body.keyFactsVersion}`,
        'What was accepted before',
        'Cash received UGX 801,000.00',
      ];
      for (const one of said) expect(text).toContain(one);
      const again = await get(second.caller, path);
      expect(again.raw.equals((await get(built.client.caller, path)).raw)).toBe(true);
    }
  });
});

describe('the offer letter', () => {
  it('says where the cash goes now, also where that was chosen after the submission', async () => {
    const { client, officer, ...approved } = await buildApprovedCase(app);
    const accountTag = await buildPayoutAccount(app, client, officer, { number: '0772345678' });
    const said = 'Cash paid to MTN ••• 678, Sarah Nabirye';
    expect((await letter(client.caller, pathTo.offerLetter(approved))).text).not.toContain(said);
    await succeed(client.caller.post(`/applications/${approved.tag}/payout_account`, { accountTag }));
    expect((await letter(client.caller, pathTo.offerLetter(approved))).text).toContain(said);
    expect((await letter(client.caller, pathTo.keyFacts(approved))).text).not.toContain(said);
  });

  it('says what we pay and when to pay it back, once approved', async () => {
    const approved = await buildApprovedCase(app);
    const { text } = await letter(approved.client.caller, pathTo.offerLetter(approved));
    expect(text).toContain('Offer letter');
    expect(text).toContain('Cash received UGX 801,000.00');
    expect(text).toContain('Pay back UGX 900,000.00 within 30 days of the day we pay you');
    expect(text).toContain('Approved 20 Nov 2026, 12:00');
    expect(text).not.toContain('Odongo');
  });

  it('says what is left and the day that holds, once paid out', async () => {
    const built = await buildDisbursedCase(app);
    await paid(built, 'receipts', { amount: 300_000 });
    const { text } = await letter(built.client.caller, pathTo.offerLetter(built));
    expect(text).toContain('Pay back UGX 600,000.00 by 21 Dec 2026.');
    expect(text).toContain('Pay back UGX 900,000.00 by 21 Dec 2026 Who pays it back');
    for (const open of ['within 30 days', 'if paid out on the day of submission']) expect(text).not.toContain(open);
  });

  it('is not there before, nor for a declined one', async () => {
    for (const built of [await buildSubmittedCase(app), await buildDeclinedCase(app)])
      expect((await get(built.client.caller, pathTo.offerLetter(built))).status).toBe(404);
  });
});

describe('the evidence', () => {
  it('tells every step with who took it and the links of the log, for staff', async () => {
    const { text, pages } = await letter(settled.officer.caller, pathTo.evidence(settled));
    expect(pages).toBeGreaterThan(0);
    for (const said of ['application.submit', 'application.startReview', 'application.approve', 'application.disburse'])
      expect(text.replaceAll(' ', '')).toContain(said);
    expect(text).toContain('every link of their chains again: each is as it was written');
    expect(text).toContain('Status Settled');
    const [{ hash } = { hash: '' }] = await app.platform.db
      .selectFrom('audit_events')
      .select(sql<string>`encode(hash, 'hex')`.as('hash'))
      .where('subject_tag', '=', settled.tag)
      .orderBy('sequence')
      .execute();
    expect(text.replaceAll(' ', '')).toContain(hash.slice(0, 12));
  });

  it('says so when the log was changed', async () => {
    const built = await buildSubmittedCase(app);
    await tamper(sql`update audit_events set action = 'other' where subject_tag = ${built.tag}`);
    const { text } = await letter(built.officer.caller, pathTo.evidence(built));
    expect(text).toContain('The record is not as it was written');
    expect(text).toContain('it was changed');
  });

  it('certifies nothing where an invoice was changed, and says what', async () => {
    const built = await buildSubmittedCase(app);
    await app.database.owner.db
      .updateTable('invoices')
      .set({ face_value: '2000000' })
      .where('id', '=', built.id)
      .execute();
    const { text } = await letter(built.officer.caller, pathTo.evidence(built));
    expect(text).toContain('This letter certifies nothing');
    expect(text).toContain('face_value: the audit log has 100000000, the database has 200000000');
    expect(text).not.toContain('each is as it was written');
  });

  it('is not for clients', async () => {
    expect((await get(settled.client.caller, pathTo.evidence(settled))).status).toBe(403);
  });
});

it('nobody gets another client’s letters', async () => {
  const stranger = await buildCaseClient(app);
  for (const path of [pathTo.keyFacts(settled), pathTo.offerLetter(settled)])
    expect((await get(stranger.caller, path)).status).toBe(404);
});
