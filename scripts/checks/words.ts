import { parseSync, Visitor } from 'vite';

/** Banned words of Kasente's texts (docs/glossary.md), each with its replacement. */
export const banned: readonly (readonly [found: RegExp, say: string])[] = [
  [/\banew\b|\bafresh\b/i, 'again'],
  [/\bso many\b/i, 'the number'],
  [/\bof which\b/i, 'two sentences'],
  [/\bst(?:and|ood)s? still\b/i, 'is paused'],
  [/\bcomes to\b/i, 'is'],
  [/\b(?:who|what|when|where)ever\b/i, 'the person, or a plural'],
  [/\bin the meantime\b|\bmeanwhile\b/i, 'nothing'],
  [/\btwins?\b/i, 'possible duplicate'],
  [/\b(?:taken?|takes) (?:\w+ ){0,4}back\b/i, 'reverse, withdraw or cancel'],
  [/\bcounter-entry\b/i, 'reversal'],
  [/\bthe promise is missed\b|\bwe promised\b/i, 'past our 4-hour promise'],
  [/\bof at most\b/i, 'up to'],
  [/^with –$/i, 'Unassigned'],
  [/\brecord (?:a )?(?:receipt|surplus)\b/i, 'record repayment, pay extra to client'],
  [/\bkeys of this screen\b|\bsingle keys act\b/i, 'keyboard shortcuts'],
  [/\bgo(?:es)? on\b/i, 'continue'],
  [/\be-mail/i, 'email'],
  [/\blog(?:ged)? on\b|\bsign(?:ed)?[ -]in\b/i, 'log in'],
];

/** Texts fixed by the specification that contain a banned word. */
export const fixedTexts: ReadonlySet<string> = new Set(['Sign in']);

/** The texts of a source file that people may read: several words, or one with a capital. */
export function textsIn(path: string, code: string): readonly string[] {
  const texts: string[] = [];
  const add = (text: string | null): void => {
    const words = (text ?? '').replaceAll(/\s+/g, ' ').trim();
    if (/ |^[A-Z]/.test(words)) texts.push(words);
  };
  new Visitor({
    Literal: ({ value }) => (typeof value === 'string' ? add(value) : undefined),
    TemplateElement: ({ value }) => add(value.cooked),
    JSXText: ({ value }) => add(value),
  }).visit(parseSync(path, code).program);
  return texts;
}

/** The faulty texts of a source file, one line each: `path: "text" – say …`. */
export function wrongWords(path: string, code: string): readonly string[] {
  return textsIn(path, code)
    .filter((text) => !fixedTexts.has(text))
    .flatMap((text) =>
      banned.filter(([found]) => found.test(text)).map(([, say]) => `${path}: "${text}" – say ${say}`),
    );
}
