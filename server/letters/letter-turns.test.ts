import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createLog } from '#server/observability/logging.ts';
import { DRAWING, openLetters } from '#server/pdf/letters.ts';
import { type BuiltCase, buildSubmittedCase } from '#testing/case-builders.ts';
import { createTestApp, type TestApp, type TestCaller } from '#testing/test-app.ts';
import { type HeldLetters, holdLetters } from './kept-letters.harness.ts';

/** Letters take turns by person, and a letter that cannot be drawn is refused with a reason. */

let app: TestApp;
afterEach(() => app.close());

const keyFacts = (caller: TestCaller, { tag }: BuiltCase) => caller.get(`/applications/${tag}/key_facts.pdf`);

/** Releases every letter, including later ones, until the work is done. */
async function lettingGo<Result>({ begun }: HeldLetters, work: Promise<Result>): Promise<Result> {
  let count = 0;
  const isDone = work.then(
    () => true,
    () => true,
  );
  for (;;) {
    for (const { release } of begun.all.slice(count)) release();
    count = begun.all.length;
    if ((await Promise.race([begun.reached(count + 1), isDone])) === true) return work;
  }
}

it('a person’s twenty requests leave another’s letters their turn', async () => {
  const letters = holdLetters({ held: true });
  app = await createTestApp({}, { letters });
  const flooded = await buildSubmittedCase(app);
  const others = [await buildSubmittedCase(app), await buildSubmittedCase(app)];
  const flood = Array.from({ length: 20 }, () => flooded.officer.caller.get(`/desk/cases/${flooded.tag}/evidence.pdf`));
  await letters.begun.reached(1);
  const theirs = others.map((built) => keyFacts(built.client.caller, built));
  // Both are drawn in the order in which they arrived, while the flood's first letter is still held.
  for (const already of [1, 2]) (await letters.begun.reached(already + 1)).at(-1)?.release();
  const drawn = letters.begun.all.slice(1).map(({ letter }) => letter);
  expect(drawn.map(({ title }) => title)).toEqual(['Key facts', 'Key facts']);
  for (const { invoiceNumber } of others)
    expect(drawn.filter(({ subtitle }) => subtitle.includes(invoiceNumber))).toHaveLength(1);
  expect((await Promise.all(theirs)).map(({ status }) => status)).toEqual([200, 200]);
  const answers = await lettingGo(letters, Promise.all(flood));
  expect(answers.map(({ status }) => status)).toEqual(flood.map(() => 200));
});

it('a letter whose drawing dies is answered 503 with when to come again, and the next letter is drawn', async () => {
  const program = join(import.meta.dirname, '..', 'pdf', 'planted-drawing.child.ts');
  const letters = openLetters(createLog('silent'), { ...DRAWING, program });
  app = await createTestApp({}, { letters });
  const [deadly, sound] = [await buildSubmittedCase(app), await buildSubmittedCase(app)];
  const number = { invoice_number: 'INV ends its thread' };
  await app.platform.db.updateTable('invoices').set(number).where('id', '=', deadly.id).execute();
  const failed = await keyFacts(deadly.client.caller, deadly);
  expect(failed.status).toBe(503);
  expect(failed.body).toMatchObject({ success: false, code: 'UNAVAILABLE' });
  expect(failed.headers['retry-after']).toBe('5');
  expect((await keyFacts(sound.client.caller, sound)).status).toBe(200);
  await letters.close();
});
