import { parseSync, Visitor } from 'vite';
import type { Room, Source } from './sources.ts';

/** A word of our own for something that has a name. */
interface CodeWord {
  /** Compared with names as their words (`takenOver` is 'taken over'), and with comments and titles of tests as they are. */
  readonly found: RegExp;
  readonly say: string;
  /** Where it is wrong: in names of files and identifiers, or in comments and titles of tests. */
  readonly in: 'names' | 'comments';
  /** Rooms that are still being renamed. Taking one out of the list switches the word on there. */
  readonly notYet: readonly Room[];
}

/** Words that code does without. A room that has got rid of one leaves `notYet`. */
const codeWords: readonly CodeWord[] = [
  { found: /\btwins?\b/i, say: 'duplicate', in: 'names', notYet: ['e2e'] },
  { found: /\bpapers?\b/i, say: 'letter', in: 'names', notYet: ['contract', 'server', 'web', 'e2e'] },
  {
    found: /\bhot (?:paths?|ways?|statements?|roads?)\b|\blanes?\b/i,
    say: 'batch, command, result',
    in: 'names',
    notYet: [],
  },
  { found: /\bturnstiles?\b/i, say: 'semaphore', in: 'names', notYet: [] },
  {
    found: /\b(?:im)?patien(?:t|ce)\b/i,
    say: 'retrying pool, retry budget, timeout',
    in: 'names',
    notYet: ['e2e'],
  },
  { found: /\bharmless\b/i, say: 'sanitized', in: 'names', notYet: [] },
  {
    found: /\bpreten[cs]e\b|\beven answers?\b/i,
    say: 'constant-time response, timing equaliser',
    in: 'names',
    notYet: [],
  },
  { found: /\bentrances?\b/i, say: 'public auth page', in: 'names', notYet: [] },
  { found: /\btaken? over\b/i, say: 'hydrated, claimed', in: 'names', notYet: ['e2e'] },
  { found: /(?<!\bweek )\bahead\b/i, say: 'prefetch', in: 'names', notYet: ['e2e'] },
  {
    found: /\bpromise (?:missed|kept|due|late|clock)\b/i,
    say: 'SLA, decisionDue',
    in: 'names',
    notYet: ['contract', 'server', 'proof'],
  },
  { found: /\bholders?\b/i, say: 'assignee', in: 'names', notYet: ['contract', 'server', 'web', 'e2e', 'gallery'] },
  { found: /\bprose\b/i, say: 'free text', in: 'names', notYet: [] },
  {
    found: /\bwhoever\b/i,
    say: 'the person, or a plural',
    in: 'comments',
    notYet: ['e2e'],
  },
  { found: /\banew\b|\bafresh\b/i, say: 'again', in: 'comments', notYet: ['e2e'] },
  {
    found: /\bst(?:and|ood)s? still\b/i,
    say: 'stops, is paused',
    in: 'comments',
    notYet: ['e2e'],
  },
  { found: /\bso many\b/i, say: 'the number', in: 'comments', notYet: ['e2e'] },
  { found: /\bwait\b.*\bin a circle\b/i, say: 'deadlock', in: 'comments', notYet: [] },
  { found: /\bgo(?:es)? the way above\b/i, say: 'falls through', in: 'comments', notYet: [] },
  { found: /\btwins?\b/i, say: 'duplicate', in: 'comments', notYet: [] },
  { found: /\bpretence\b/i, say: 'constant-time response', in: 'comments', notYet: [] },
  { found: /\bturnstiles?\b/i, say: 'semaphore', in: 'comments', notYet: [] },
  {
    found: /\bissues? #?\d+\b/i,
    say: 'what was settled, or a file of this repository',
    in: 'comments',
    notYet: ['e2e'],
  },
];

/** What is said in a source file, by where it is said. */
function wordsOf({ path, text }: Source): Readonly<Record<CodeWord['in'], readonly string[]>> {
  const names = new Set([path.slice(path.indexOf('/') + 1)]);
  const titles: string[] = [];
  const { program, comments } = parseSync(path, text);
  const add = ({ name }: { readonly name: unknown }) => names.add(String(name));
  new Visitor({
    Identifier: add,
    PrivateIdentifier: add,
    JSXIdentifier: add,
    CallExpression: ({ callee, arguments: [title] }) => {
      if (title?.type === 'Literal' && typeof title.value === 'string' && isTest(text.slice(callee.start, callee.end)))
        titles.push(title.value);
    },
  }).visit(program);
  return { names: [...names].map(asWords), comments: [...comments.map(({ value }) => value), ...titles] };
}

function isTest(callee: string): boolean {
  return /^(?:it|test|describe)\b/.test(callee);
}

/** `takenOver`, `TAKEN_OVER` and `taken-over.ts` as 'taken over'. */
function asWords(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^a-z\d]+/gi, ' ')
    .toLowerCase();
}

/** Each word that a file should do without, a line each: `path: 'takenOver' – say …`. */
export function wrongCodeWords(source: Source): readonly string[] {
  const room = source.path.split('/')[0];
  const rules = codeWords.filter(({ notYet }) => !notYet.some((other) => other === room));
  const words = wordsOf(source);
  return rules.flatMap(({ found, say, in: where }) =>
    words[where].filter((said) => found.test(said)).map((said) => `${source.path}: "${said.trim()}" – say ${say}`),
  );
}
