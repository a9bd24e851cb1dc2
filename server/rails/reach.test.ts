import { expect, it } from 'vitest';
import { Reach } from './reach.ts';

/** A provider that does not answer is called by one, and not by all. */

const START = new Date('2026-11-20T09:00:00Z');
const later = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);

function reachAfter(transfers: readonly string[]): Reach {
  const reach = new Reach();
  for (const tag of transfers) reach.unanswered(tag);
  return reach;
}

it('is called by everybody while a few transfers have no answer, however often they are asked about', () => {
  const reach = reachAfter(['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd']);
  expect([reach.isAway, reach.admits(START), reach.admits(START)]).toEqual([false, true, true]);
});

it('is called once in ten seconds after five transfers without an answer', () => {
  const reach = reachAfter(['a', 'b', 'c', 'd', 'e']);
  expect(reach.isAway).toBe(true);
  expect([0, 0, 9, 10, 10, 19, 20].map((seconds) => reach.admits(later(seconds)))).toEqual([
    ...[true, false, false],
    ...[true, false, false, true],
  ]);
});

it('is called by everybody again after one answer', () => {
  const reach = reachAfter(['a', 'b', 'c', 'd', 'e']);
  reach.answered();
  expect([reach.isAway, reach.admits(START), reach.admits(START)]).toEqual([false, true, true]);
});
