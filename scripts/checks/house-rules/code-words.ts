import { parseSync, Visitor } from 'vite';
import type { Source } from './sources.ts';

/** A banned word that has an established replacement. */
interface CodeWord {
  /** Compared with the words of names (`takenOver` is 'taken over'), and with comments and test titles. */
  readonly found: RegExp;
  readonly say: string;
  /** Where it is banned: in names of files and identifiers, or in comments and test titles. */
  readonly in: 'names' | 'comments';
  /** Permitted names. */
  readonly kept?: readonly string[];
}

/**
 * Banned words of code. Columns and reply fields of release 1.0.0 keep their names, because the previous release reads them
 * during an upgrade; a rename would take two releases (docs/decisions/0035-releases.md).
 */
const codeWords: readonly CodeWord[] = [
  { found: /\btwins?\b/i, say: 'duplicate', in: 'names' },
  // 'paper' is Mantine's component.
  { found: /\bpapers?\b/i, say: 'letter', in: 'names', kept: ['papers', 'paper', 'paper props'] },
  {
    found: /\bhot (?:paths?|ways?|statements?|roads?)\b|\blanes?\b/i,
    say: 'batch, command, result',
    in: 'names',
  },
  { found: /\bturnstiles?\b/i, say: 'semaphore', in: 'names' },
  {
    found: /\b(?:im)?patien(?:t|ce)\b/i,
    say: 'retrying pool, retry budget, timeout',
    in: 'names',
  },
  { found: /\bharmless\b/i, say: 'sanitized', in: 'names' },
  {
    found: /\bpreten[cs]e\b|\beven answers?\b/i,
    say: 'constant-time response, timing equaliser',
    in: 'names',
  },
  { found: /\bentrances?\b/i, say: 'public auth page', in: 'names' },
  { found: /\btaken? over\b/i, say: 'hydrated, claimed', in: 'names' },
  { found: /(?<!\bweek )\bahead\b/i, say: 'prefetch', in: 'names' },
  {
    found: /\bpromise (?:missed|kept|due|late|clock)\b/i,
    say: 'SLA, decisionDue',
    in: 'names',
    kept: ['promise missed at'],
  },
  // Accounts have holders, and so has the reply's field `holder` of a case.
  {
    found: /\bholder (?:id|tag)s?\b|\bheld since\b/i,
    say: 'assignee',
    in: 'names',
    kept: ['holder id', 'held since'],
  },
  { found: /\bprose\b/i, say: 'free text', in: 'names' },
  {
    found: /\bwhoever\b/i,
    say: 'the person, or a plural',
    in: 'comments',
  },
  { found: /\banew\b|\bafresh\b/i, say: 'again', in: 'comments' },
  {
    found: /\bst(?:and|ood)s? still\b/i,
    say: 'stops, is paused',
    in: 'comments',
  },
  { found: /\bso many\b/i, say: 'the number', in: 'comments' },
  { found: /\bwait\b.*\bin a circle\b/i, say: 'deadlock', in: 'comments' },
  { found: /\bgo(?:es)? the way above\b/i, say: 'falls through', in: 'comments' },
  { found: /\btwins?\b/i, say: 'duplicate', in: 'comments' },
  { found: /\bpretence\b/i, say: 'constant-time response', in: 'comments' },
  { found: /\bturnstiles?\b/i, say: 'semaphore', in: 'comments' },
  {
    found: /\bissues? #?\d+\b/i,
    say: 'what was settled, or a file of this repository',
    in: 'comments',
  },
];

/** The names, comments and titles of a source file. */
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

/** The banned words of a file, one line each: `path: 'takenOver' – say …`. */
export function wrongCodeWords(source: Source): readonly string[] {
  const words = wordsOf(source);
  return codeWords.flatMap(({ found, say, in: where, kept = [] }) =>
    words[where]
      .filter((said) => found.test(said) && !kept.includes(said))
      .map((said) => `${source.path}: "${said.trim()}" – say ${say}`),
  );
}
