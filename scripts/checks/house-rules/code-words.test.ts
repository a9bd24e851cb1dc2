import { describe, expect, it } from 'vitest';
import { wrongCodeWords } from './code-words.ts';
import { sources } from './sources.ts';

/** Released migrations keep their words, and the table itself contains the banned words. */
const LEFT_OUT = /^server\/migrations\/\d|\/code-words(?:\.test)?\.ts$/;

describe('names, comments and titles of tests', () => {
  it('use established terms', () => {
    expect(sources.filter(({ path }) => !LEFT_OUT.test(path)).flatMap(wrongCodeWords)).toEqual([]);
  });

  it.each([
    ['scripts/a.ts', 'const twinsOf = 1;', 'twins of', 'duplicate'],
    ['scripts/a.ts', 'interface A { readonly HOT_PATH: string }', 'hot path', 'batch, command, result'],
    ['proof/even-answers.ts', '', 'even answers ts', 'constant-time response, timing equaliser'],
    ['bench/a.ts', 'call({ takenOver: true });', 'taken over', 'hydrated, claimed'],
    ['scripts/a.tsx', 'const a = <Turnstile />;', 'turnstile', 'semaphore'],
    [
      'scripts/a.ts',
      '/** Whoever stops it has it leave. */',
      '* Whoever stops it has it leave.',
      'the person, or a plural',
    ],
    ['proof/a.ts', '// as issue 6 has it', 'as issue 6 has it', 'what was settled, or a file of this repository'],
    ['proof/a.test.ts', "it('begins anew', () => {});", 'begins anew', 'again'],
    ['proof/a.test.ts', "describe.each(all)('so many rounds', () => {});", 'so many rounds', 'the number'],
  ])('are refused where %s says %s', (path, text, said, say) => {
    expect(wrongCodeWords({ path, text })).toEqual([`${path}: "${said}" – say ${say}`]);
  });

  it('do not include user-visible texts or parts of words', () => {
    const text = "const papersize = 1; say('whoever', 'anew'); const announced = new Promise(() => {});";
    expect(wrongCodeWords({ path: 'scripts/a.ts', text })).toEqual([]);
  });

  it('keep only the names of columns and fields that an earlier release reads', () => {
    expect(wrongCodeWords({ path: 'server/a.ts', text: 'const a = { holder_id: 1, papers: 2 };' })).toEqual([]);
    expect(wrongCodeWords({ path: 'server/a.ts', text: 'const a = { oldHolderId: 1, papersOf: 2 };' })).toHaveLength(2);
  });
});
