import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { fillEveryTable, securedTables } from '#server/db/roles/row-security.harness.ts';
import { applicationForm } from '#server/invoices/invoices.harness.ts';
import { noRails } from '#server/rails/open-rails.ts';
import { PAY_NOW } from '#server/requests-to-pay/requests.harness.ts';
import { buildReadyInvoice, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { buildCaseClient, buildDisbursedCase, type CaseClient, succeed } from '#testing/case-builders.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { buildPayoutAccount } from '#testing/payout-builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { railsOf, ScriptedProvider, scriptedKind } from '#testing/scripted-rail.ts';
import { type Answer, appOfFile } from '#testing/test-app.ts';
import { upload } from '#testing/uploads.ts';
import { begin } from '#testing/uploads-in-parts.ts';
import { type SystemWork, systemWork } from './row-scope.ts';

/** Every use of the system's scope, by the reasons in `systemWork`. None changes or shows another client's rows. */

/** Payouts are made by hand, except in one test. */
const rails = { ...noRails };
const app = appOfFile({}, { rails });
/** The client whose rows fill every table. */
let other: CaseClient;

beforeAll(async () => {
  other = await fillEveryTable(app);
  await buildReadyInvoice(app, other.person); // a draft
});

/** For each reason to use the system's scope: an action of a client, and its replies. */
const acts: Record<SystemWork, (client: CaseClient) => Promise<Answer[]>> = {
  session: async ({ caller }) => [await caller.get('/users/session'), await caller.get('/users/sessions')],
  publicAuth: async ({ person }) => [
    await app.visitor().post('/users/login', { username: person.username, password: TEST_PASSWORD }),
    await app.visitor().post('/reset_password/request', { username: person.username }),
  ],
  codes: async ({ caller }) => [
    await caller.post('/users/password', { password: TEST_PASSWORD, newPassword: 'Rolex-2027-chapati' }),
  ],
  throttle: async ({ caller }) => [
    await caller.post('/users/password', { password: 'not my password', newPassword: 'Rolex-2027-chapati' }),
  ],
  messages: async (client) => [await submit(client, await buildReadyInvoice(app, client.person))],
  witnesses: async (client) => [await submit(client, await buildReadyInvoice(app, client.person))],
  duplicates: async (client) => {
    const mine = await buildReadyInvoice(app, client.person);
    const theirs = await othersSubmitted();
    await app.platform.db
      .updateTable('invoices')
      .set({ buyer_id: theirs.buyer_id, invoice_number_key: theirs.invoice_number_key })
      .where('id', '=', mine.id)
      .execute();
    const submitted = await submit(client, mine);
    const flags = await app.platform.db
      .selectFrom('invoice_flags')
      .select('other_invoice_id as other')
      .where('invoice_id', '=', mine.id)
      .execute();
    expect(flags).toContainEqual({ other: theirs.id });
    return [submitted, await client.caller.get(`/applications/${mine.tag}/progress`)];
  },
  references: async ({ caller, person }) => {
    const { tag } = await buildReadyInvoice(app, person);
    const { application_reference: reference } = await othersSubmitted();
    await app.platform.db
      .updateTable('invoices')
      .set({ application_tag: null, application_version: null, application_reference: null, application_date: null })
      .set({ advance: null, financing_period_id: null, tenor_days: null, fee_rate_bps: null })
      .set({ discount_fee: null, net_proceeds: null })
      .where('tag', '=', tag)
      .execute();
    const answer = await caller.post('/applications/validate', applicationForm(tag, { reference }));
    expect(Object.keys(answer.body.fields)).toEqual(['reference']);
    return [answer];
  },
  letters: async (client) => {
    const invoice = await buildReadyInvoice(app, client.person);
    const theirs = await othersSubmitted();
    await submit(client, invoice);
    const path = (tag: string) => `/applications/${tag}/key_facts.pdf`;
    const [drawn, kept, foreign] = [
      await client.caller.get(path(invoice.tag)),
      await client.caller.get(path(invoice.tag)),
      await client.caller.get(path(theirs.tag)),
    ];
    expect([drawn.status, kept.status, foreign.status]).toEqual([200, 200, 404]);
    return [drawn, kept, foreign];
  },
  requests: async (client) => {
    const { tag } = await buildDisbursedCase(app, { client });
    Object.assign(rails, railsOf(scriptedKind(new ScriptedProvider())));
    onTestFinished(() => void Object.assign(rails, noRails));
    const asked = await client.caller.post(`/applications/${tag}/pay_now`, PAY_NOW);
    expect(asked.status).toBe(200);
    return [asked, await client.caller.get(`/applications/${tag}/pay_now`)];
  },
  held: async (client) => {
    const tag = await buildPayoutAccount(app, client, client, { verifiedAt: null });
    return [await succeed(client.caller.post(`/payout_accounts/${tag}/freeze`))];
  },
  files: async ({ caller, person }) => {
    const { tag: invoiceTag } = await buildReadyInvoice(app, person);
    const stored = await upload(caller, { invoiceTag, typeId: 4 }, samplePdf());
    const replaced = await upload(caller, { invoiceTag, typeId: 4 }, samplePdf());
    expect([stored.status, replaced.status]).toEqual([200, 200]);
    return [stored, replaced];
  },
  uploads: async ({ person }) => {
    const { tag: invoiceTag } = await buildReadyInvoice(app, person);
    const colleagues = await Promise.all(
      Array.from({ length: 3 }, () => buildSignedIn(app, { perms: ['BIDA'], businessId: person.businessId })),
    );
    const begun = await Promise.all(
      colleagues.flatMap(({ caller }, index) =>
        [1, 2, 3, 4, 5].map((typeId) => begin(caller, { invoiceTag, typeId }, samplePdf(`from ${index}`))),
      ),
    );
    expect(await unfinishedUploads(person.businessId)).toBe(12);
    return begun;
  },
};

/** The number of unfinished uploads by the people of a business. */
async function unfinishedUploads(businessId: number): Promise<number> {
  const { rows } = await sql`select from unfinished_uploads where document_tag is null
    and invoice_id in (select id from invoices where business_id = ${businessId})`.execute(app.platform.db);
  return rows.length;
}

function submit({ caller }: CaseClient, { tag }: { readonly tag: string }): Promise<Answer> {
  return caller.post(`/applications/${tag}/submit`);
}

function othersSubmitted() {
  return app.platform.db
    .selectFrom('invoices')
    .select(['id', 'tag', 'buyer_id', 'invoice_number_key', 'application_reference'])
    .where('business_id', '=', other.person.businessId)
    .where('status', '=', 'Info Requested')
    .executeTakeFirstOrThrow();
}

/** Every row of every secured table, as text. */
async function everyRow(): Promise<string[]> {
  const rows: string[] = [];
  for (const { name } of await securedTables(app.platform.db)) {
    const found = await sql<{
      row: string;
    }>`select ${name} || source::text as row from ${sql.table(name)} as source`.execute(app.platform.db);
    rows.push(...found.rows.map(({ row }) => row));
  }
  return rows;
}

/** The other client's data that an action changes, and that its replies show. */
async function reachOf(
  act: (client: CaseClient) => Promise<Answer[]>,
): Promise<{ changed: string[]; shown: string[] }> {
  const before = await everyRow(); // the client is created only now, so none of the rows is theirs
  const answers = await act(await buildCaseClient(app));
  const after = new Set(await everyRow());
  const theirs = [other.person.username, other.person.tag, (await othersSubmitted()).tag];
  return {
    changed: before.filter((row) => !after.has(row)),
    shown: theirs.filter((mark) => answers.some(({ raw }) => raw.toString().includes(mark))),
  };
}

it('the comparison detects work that changes or shows another client’s rows', async () => {
  const planted = await reachOf(async () => {
    await app.platform.db
      .updateTable('invoices')
      .set({ created_at: new Date(0) })
      .where('id', '=', (await othersSubmitted()).id)
      .execute();
    return [await other.caller.get('/users/session')];
  });
  expect(planted.changed).toHaveLength(1);
  expect(planted.shown).toEqual([other.person.username, other.person.tag]);
  canaryFound('row-security-outside', 'a row changed and a name shown across clients were found');
});

it.each(Object.entries(acts))('%s: changes and shows nothing of another client’s', async (_, act) => {
  expect(await reachOf(act)).toEqual({ changed: [], shown: [] });
});

it('the system’s scope is used in few places, each with one of the listed reasons and each reason in one place', () => {
  const server = join(import.meta.dirname, '..');
  const files = readdirSync(server, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts') && !/\.(test|harness)\.ts$/.test(name))
    .map((entry) => join(entry.parentPath, entry.name));
  const places = new Map<string, Set<string>>();
  for (const file of files) {
    for (const [, reason = ''] of readFileSync(file, 'utf8').matchAll(/\basSystem\(\s*'(\w+)'/g)) {
      places.set(reason, (places.get(reason) ?? new Set()).add(file));
    }
  }
  expect([...places.keys()].sort()).toEqual(Object.keys(systemWork).sort());
  expect([...places].filter(([, where]) => where.size !== 1).map(([reason]) => reason)).toEqual([]);
  proved(
    'row-security-outside',
    `${places.size} kinds of work stand outside, each changed and showed 0 of another client’s rows`,
  );
});
