import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/platform/database.ts';
import { HotLanes } from '#server/platform/hot-lanes.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/test-database.ts';

let database: TestDatabase;
let opened: OpenDatabase;
let lanes: HotLanes;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  opened = openDatabase({ ...inject('cluster'), database: database.name }, () => undefined);
  lanes = new HotLanes(opened.pool);
  return () => opened.close();
});

/** Answers its number and its transaction; nothing for 0; breaks for what is no number. */
const numbered = {
  name: 'numbered',
  text: "select concat_ws(' ', $1::integer, pg_current_xact_id()) where $1::integer > 0",
};
const divided = { name: 'divided', text: 'select (12 / $1::integer)::text' };
const whose = { name: 'whose', text: 'select pg_backend_pid() as pid where $1::integer > 0' };

async function changes(numbers: readonly unknown[]) {
  const found = await Promise.all(numbers.map((number) => lanes.change(numbered, [number])));
  return found.map((text) => text?.split(' ') ?? []);
}

describe('many changes at once', () => {
  it('share a transaction once the lanes are taken, and each gets its own answer', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    for (const round of ['not prepared yet', 'prepared']) {
      const found = await changes(numbers);
      expect(
        found.map(([number]) => number),
        round,
      ).toEqual(numbers.map((number) => (number === 0 ? undefined : String(number))));
      // The first three went by themselves, the first of them without an answer; then 32, then the rest.
      expect(new Set(found.flatMap(([, transaction]) => transaction ?? [])).size).toBe(4);
    }
  });

  it('that are one by one go by themselves', async () => {
    const [[, first], [, second]] = [(await changes([1]))[0] ?? [], (await changes([2]))[0] ?? []];
    expect(first).not.toBe(second);
  });

  it('with one that undoes itself, or breaks, lose that one alone', async () => {
    const found = await Promise.all([1, 2, 3, 4, 0, 6].map((number) => lanes.change(divided, [number])));
    expect(found).toEqual(['12', '6', '4', '3', undefined, '2']);
    const settled = await Promise.allSettled([1, 2, 3, 4, 'five', 6].map((number) => lanes.change(numbered, [number])));
    expect(settled.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected', 'fulfilled']);
  });
});

it('keeps a connection on which a statement was refused', async () => {
  opened.pool.options.max = 1;
  const before = await lanes.ask(whose, [1]);
  expect(before).toHaveLength(1);
  expect(await lanes.change(divided, [0])).toBeUndefined();
  await expect(lanes.ask(whose, ['one'])).rejects.toThrow('invalid input syntax');
  expect(await lanes.ask(whose, [1])).toEqual(before);
  expect(await lanes.ask({ name: 'halved', text: 'select 1 / $1::integer' }, [0])).toEqual([]);
});

it('gives what waits an error where the connection is lost, and goes on with another', async () => {
  const ended = { name: 'ended', text: 'select pg_terminate_backend(pg_backend_pid())::text where $1::integer > 0' };
  const settled = await Promise.allSettled([1, 1, 1, 1, 1].map((number) => lanes.change(ended, [number])));
  expect(settled.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  expect((await changes([7]))[0]?.[0]).toBe('7');
});
