import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, expect, it } from 'vitest';
import { applicationForm, buildClient, postApplication, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { buildOfficer, onDesk, type Someone, succeed } from '#testing/case-builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile } from '#testing/test-app.ts';
import { upload } from '#testing/uploads.ts';

/** The events of an application in its evidence letter, over HTTP. */

const app = appOfFile();
let officer: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
});

/**
 * Submitted after five saves, with one document at its third upload; after submission the document was requested, and
 * uploaded twice more.
 */
async function buildOftenSaved(): Promise<string> {
  const client = await buildClient(app);
  let { tag, version } = await saveInvoice(client);
  for (const amount of [2_000_000, 3_000_000, 1_000_000]) {
    ({ version } = await saveInvoice(client, { tag, version, amount }));
  }
  const form = applicationForm(tag);
  let application = (await succeed(postApplication(client, form))).body.data;
  for (const applicationDate of ['2026-11-19', '2026-11-20']) {
    const again = { ...form, applicationDate, tag: application.tag, version: application.version };
    application = (await succeed(postApplication(client, again))).body.data;
  }
  const types = await app.platform.db.selectFrom('document_types').select('id').where('mandatory', '=', true).execute();
  const send = (typeId: number) => succeed(upload(client.caller, { invoiceTag: tag, typeId }, samplePdf()));
  for (const { id } of types) await send(id);
  await send(1);
  await send(1);
  await succeed(client.caller.post(`/applications/${tag}/submit`));
  for (const act of ['take', 'start_review']) await succeed(onDesk(officer, tag, act));
  await succeed(onDesk(officer, tag, 'request_information', { question: 'A clearer scan, please', typeIds: [1] }));
  await send(1);
  await send(1);
  return tag;
}

/** The letter's text without spaces, because a cell's line breaks become spaces. */
async function evidenceOn(tag: string): Promise<string> {
  const { raw, status } = await officer.caller.get(`/desk/cases/${tag}/evidence.pdf`);
  expect(status).toBe(200);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(raw)), { mergePages: true });
  return text.replaceAll(/\s+/g, '');
}

function timesTold(text: string): Record<string, number> {
  const actions = ['invoice.created', 'invoice.changed', 'application.created', 'application.changed'];
  const all = [...actions, 'document.uploaded', 'document.replaced', 'application.submit', 'application.startReview'];
  return Object.fromEntries(all.map((action) => [action, text.split(action).length - 1]));
}

it('the evidence tells the saves of a draft in a line, and everything from the submission on whole', async () => {
  const tag = await buildOftenSaved();
  const text = await evidenceOn(tag);
  expect(text).toContain('5savesofthedraftBeforethesubmission');
  expect(text).toContain('2changesofdocumentsBeforethesubmission');
  expect(timesTold(text)).toMatchObject({
    'invoice.created': 1,
    'invoice.changed': 0,
    'application.created': 1,
    'application.changed': 0,
    'document.replaced': 3,
    'application.submit': 1,
    'application.startReview': 1,
  });
  const { events } = await app.platform.db
    .selectFrom('audit_events')
    .select(({ fn }) => fn.countAll<number>().as('events'))
    .where('subject_type', 'in', ['invoice', 'document'])
    .executeTakeFirstOrThrow();
  expect(text).toContain(`${events}events.Wecomputedeverylinkoftheirchainsagain:eachisasitwaswritten.`);
  expect(text).toContain('Fromtheseeventswecomputedstate,terms,sumsanddocumentsagain');
});

it('the evidence finds a save of the draft that was changed, though it does not tell it', async () => {
  const tag = await buildOftenSaved();
  await app.database.owner.db.inTransaction(async (change) => {
    await sql`set local session_replication_role = replica`.execute(change);
    await sql`update audit_events set ip = '::1' where subject_tag = ${tag} and sequence = 3`.execute(change);
  });
  expect(await evidenceOn(tag)).toContain(`event3ofinvoice${tag}:itwaschanged`);
});
