import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { buildApprovedCase, buildOfficer, buildSubmittedCase } from '#testing/case-builders.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';
import { type HeldLetters, holdLetters } from './kept-letters.harness.ts';
import { sweepLetters } from './kept-letters.service.ts';

/** Letters that no longer change are drawn once. */

let letters: HeldLetters;
const app = appOfFile({}, { letters: openCounted() });
beforeEach(() => {
  letters.begun.all.length = 0;
});
afterEach(() => sql`truncate drawn_letters`.execute(app.database.owner.db));

function openCounted(): HeldLetters {
  letters = holdLetters({ held: false });
  return letters;
}

const drawings = (): number => letters.begun.all.length;

interface Case {
  readonly tag: string;
  readonly buyerId: number;
}

async function read(caller: TestCaller, { tag }: Case, letter: 'key_facts' | 'offer_letter'): Promise<Buffer> {
  const { status, raw } = await caller.get(`/applications/${tag}/${letter}.pdf`);
  expect(status).toBe(200);
  return raw;
}

function rows() {
  return app.platform.db.selectFrom('drawn_letters').selectAll().execute();
}

it('a letter that ten ask for at once is drawn once, and kept', async () => {
  const built = await buildSubmittedCase(app);
  const askers = await Promise.all(Array.from({ length: 10 }, () => buildOfficer(app)));
  const drawn = await Promise.all(askers.map(({ caller }) => read(caller, built, 'key_facts')));
  expect(drawings()).toBe(1);
  expect(drawn.every((letter) => letter.equals(drawn[0] ?? Buffer.alloc(0)))).toBe(true);
  expect(await read(built.client.caller, built, 'key_facts')).toEqual(drawn[0]);
  expect(drawings()).toBe(1);
  expect((await rows()).map(({ content }) => content)).toEqual([drawn[0]]);
});

it('an offer letter is drawn once, evidence each time', async () => {
  const built = await buildApprovedCase(app);
  const [once, again] = [
    await read(built.client.caller, built, 'offer_letter'),
    await read(built.client.caller, built, 'offer_letter'),
  ];
  expect(again).toEqual(once);
  expect(drawings()).toBe(1);
  for (const _ of [1, 2]) await built.officer.caller.get(`/desk/cases/${built.tag}/evidence.pdf`);
  expect(drawings()).toBe(3);
  expect(await rows()).toHaveLength(1);
});

it('a letter that says something else is drawn again', async () => {
  const built = await buildSubmittedCase(app);
  const before = await read(built.client.caller, built, 'key_facts');
  await app.platform.db
    .updateTable('businesses')
    .set({ name: `Renamed ${built.buyerId}` })
    .where('id', '=', built.buyerId)
    .execute();
  const after = await read(built.client.caller, built, 'key_facts');
  expect(after.equals(before)).toBe(false);
  expect(drawings()).toBe(2);
});

it('a kept letter that somebody replaced in the database is not handed out', async () => {
  const [mine, other] = [await buildSubmittedCase(app), await buildSubmittedCase(app)];
  const letter = await read(mine.client.caller, mine, 'key_facts');
  const [{ digest } = { digest: Buffer.alloc(0) }] = await rows();
  const theirs = await read(other.client.caller, other, 'key_facts');
  const kept = await rows();
  const foreign = kept.find(({ content }) => content.equals(theirs));
  // Copies another letter's content together with its seal: a seal is valid only for its own letter.
  await app.platform.db
    .updateTable('drawn_letters')
    .set({ content: theirs, ...(foreign === undefined ? {} : { seal: foreign.seal }) })
    .where('digest', '=', digest)
    .execute();
  expect(await read(mine.client.caller, mine, 'key_facts')).toEqual(letter);
  expect(drawings()).toBe(3);
  expect(await read(mine.client.caller, mine, 'key_facts')).toEqual(letter);
  expect(drawings()).toBe(3);
});

it('a letter that cannot be kept is handed out all the same', async () => {
  const built = await buildSubmittedCase(app);
  await sql`alter table drawn_letters add constraint planted check (false) not valid`.execute(app.database.owner.db);
  const letter = await read(built.client.caller, built, 'key_facts');
  await sql`alter table drawn_letters drop constraint planted`.execute(app.database.owner.db);
  expect(letter.subarray(0, 5).toString()).toBe('%PDF-');
  expect(await rows()).toEqual([]);
});

it('a letter is forgotten when nobody asked for it in 30 days', async () => {
  const [asked, unasked] = [await buildSubmittedCase(app), await buildSubmittedCase(app)];
  for (const built of [asked, unasked]) await read(built.officer.caller, built, 'key_facts');
  // A session would end long before, so an officer logs in again and asks each day.
  const day = DAY_SECONDS;
  app.clock.advance(20 * day);
  await read((await buildOfficer(app)).caller, asked, 'key_facts');
  app.clock.advance(10 * day);
  await sweepLetters(app.platform);
  expect(await rows()).toHaveLength(1);
  await read((await buildOfficer(app)).caller, asked, 'key_facts');
  expect(drawings()).toBe(2);
});
