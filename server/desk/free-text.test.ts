import { extractText, getDocumentProxy } from 'unpdf';
import { expect, it } from 'vitest';
import { businessTagOf, setLimit } from '#server/limits/limits.harness.ts';
import { confirmProposal } from '#server/payments/payments.harness.ts';
import {
  type BuiltCase,
  buildAskedCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  messagesTo,
  onDesk,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** All six free-text fields accept and store several lines. */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });

/** Text as a browser on any system may send it, with a pasted tab. */
const TYPED = '  The buyer signed on 3\tMay.\r\nThe stamp follows.\r ';
const KEPT = 'The buyer signed on 3 May.\nThe stamp follows.';

async function lastNote(built: BuiltCase): Promise<string | null | undefined> {
  return (await stepsOf(app, built)).at(-1)?.note;
}

it('a client’s answer keeps its line breaks', async () => {
  const built = await buildAskedCase(app);
  await succeed(built.client.caller.post(`/applications/${built.tag}/answer`, { answer: TYPED }));
  expect(await lastNote(built)).toBe(KEPT);
  const { body } = await succeed(built.client.caller.get(`/applications/${built.tag}/progress`));
  expect(body.requests[0].answer).toBe(KEPT);
});

it('an officer’s question keeps its line breaks, and the subject of its message stays one line', async () => {
  const built = await buildReviewedCase(app);
  await succeed(onDesk(built.officer, built.tag, 'request_information', { question: TYPED }));
  expect(await lastNote(built)).toBe(KEPT);
  const message = (await messagesTo(app, built.client)).at(-1);
  expect(message?.body).toContain(`We need something from you: ${KEPT} Log in to answer so we can continue.`);
  expect(message?.subject).toBe(`Invoice ${built.invoiceNumber}: we need something from you`);
});

it('a note on a decline keeps its line breaks, and so does the evidence', async () => {
  const built = await buildReviewedCase(app);
  await succeed(onDesk(built.officer, built.tag, 'decline', { reason: 'documents', note: TYPED }));
  expect(await lastNote(built)).toBe(KEPT);
  const evidence = await succeed(
    built.officer.caller.call({ method: 'GET', url: `/desk/cases/${built.tag}/evidence.pdf` }),
  );
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(evidence.raw)), { mergePages: true });
  // The statement spans two lines; the stored event writes a line break as \n.
  expect(text).toMatch(/The buyer signed on 3 May\.\s*\n\s*The stamp follows\./);
  expect(text.replaceAll(/\s/g, '')).toContain(String.raw`3May.\nThestampfollows.`);
});

it('a note on a case that is sent back keeps its line breaks', async () => {
  const built = await buildOnceApprovedCase(app);
  await succeed(onDesk(built.officer, built.tag, 'send_back', { note: TYPED }));
  expect(await lastNote(built)).toBe(KEPT);
});

it('the reason of a reversal keeps its line breaks', async () => {
  const built = await buildDisbursedCase(app);
  const ledger = () => succeed(built.officer.caller.get(`/applications/${built.tag}/payments`));
  const [entry] = (await ledger()).body.entries;
  await succeed(built.officer.caller.post(`/payments/${entry.tag}/reversal/propose`, { reason: TYPED }));
  expect((await ledger()).body.proposal.reason).toBe(KEPT);
  await succeed(confirmProposal(built.payer, built.tag));
  expect((await ledger()).body.entries.at(-1).reason).toBe(KEPT);
});

it('the reason of a changed limit keeps its line breaks', async () => {
  const client = await buildCaseClient(app);
  const businessTag = await businessTagOf(app, client);
  await succeed(setLimit(await buildOfficer(app), businessTag, { limit: 1_000_000, reason: TYPED }));
  const event = app.platform.db.selectFrom('audit_events').select('after').where('subject_tag', '=', businessTag);
  expect((await event.executeTakeFirstOrThrow()).after).toMatchObject({ reason: KEPT });
});
