import { expect, it } from 'vitest';
import { shareOut } from './share-out.ts';

const lines = [1, 2, 3, 4];
const free = new Set([1, 2, 4]);
const isFree = (line: number) => free.has(line);

it.each<[string, string[], number, [number, string][], number]>([
  ['one file goes to the line whose button was pressed', ['a'], 2, [[2, 'a']], 0],
  ['a line that has a file takes another one', ['a'], 3, [[3, 'a']], 0],
  [
    'further files go to the next lines that miss one, in order',
    ['a', 'b', 'c'],
    1,
    [
      [1, 'a'],
      [2, 'b'],
      [4, 'c'],
    ],
    0,
  ],
  [
    'after the last line come those above',
    ['a', 'b'],
    4,
    [
      [4, 'a'],
      [1, 'b'],
    ],
    0,
  ],
  [
    'files without a line are left',
    ['a', 'b', 'c', 'd', 'e'],
    1,
    [
      [1, 'a'],
      [2, 'b'],
      [4, 'c'],
    ],
    2,
  ],
  ['no file goes nowhere', [], 1, [], 0],
])('%s', (_, files, from, shared, left) => {
  expect(shareOut(files, lines, { from, isFree })).toEqual({ shared, left });
});
