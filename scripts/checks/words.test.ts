import { describe, expect, it } from 'vitest';
import { isForTests, sources } from '#scripts/checks/house-rules/sources.ts';
import { textsIn, wrongWords } from './words.ts';

/** All texts for people follow docs/glossary.md: screens, messages, letters, failures and tools. */

/** Folders with texts for people. Released migrations and test code are exempt. */
const READ = /^(?:contract|server|web|scripts|simulators|testing)\//;
const LEFT_OUT = /^server\/migrations\/|^scripts\/checks\/|\.mjs$/;

const read = sources.filter(({ path }) => READ.test(path) && !LEFT_OUT.test(path) && !isForTests(path));

describe('the texts of Kasente', () => {
  it('contain no banned words', () => {
    expect(read.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['contract/errors.ts', 'scripts/operator/user-command.ts', 'web/notices.ts']),
    );
    expect(read.flatMap(({ path, text }) => wrongWords(path, text))).toEqual([]);
  });

  it('are only strings, templates and elements', () => {
    const code = `
      import { twin } from '#web/twins'; // whoever reads this
      const said = 'Take this back'; const more = \`Applied anew by \${name}\`;
      const key = 'twin';
      const shown = <p title="With –">Take this {thing} back. Go on, whoever you are</p>;`;
    expect(textsIn('a.tsx', code)).toEqual([
      'Take this back',
      'Applied anew by',
      'With –',
      'Take this',
      'back. Go on, whoever you are',
    ]);
    expect(wrongWords('a.tsx', code).map((line) => line.split(' – say ')[0])).toEqual([
      'a.tsx: "Take this back"',
      'a.tsx: "Applied anew by"',
      'a.tsx: "With –"',
      'a.tsx: "back. Go on, whoever you are"',
      'a.tsx: "back. Go on, whoever you are"',
    ]);
  });

  it('may be fixed by the specification', () => {
    expect(wrongWords('a.tsx', "const link = 'Sign in'; const other = 'Sign in now';")).toEqual([
      'a.tsx: "Sign in now" – say log in',
    ]);
  });
});
