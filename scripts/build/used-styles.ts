/**
 * The part of a style sheet that can apply to a page: without rules whose classes do not occur in it, and without media and
 * layers that become empty. States (`:hover`, attributes) are ignored, so that the complete sheet shifts nothing. Expects
 * minified CSS without comments and without braces in strings.
 */
export function usedStyles(sheet: string, html: string): string {
  const classes = new Set([...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)));
  const kept = keep(blocksOf(sheet), classes);
  const alive = kept.filter((block) => !isUnusedAnimation(block, kept)).join('');
  return withoutUnusedVariables(alive, html);
}

const DECLARED = /(--[\w-]+):\s*([^;{}]*)(?:;\s*|(?=\}))/g;
const REFERRED = /var\(\s*(--[\w-]+)/g;

/** Removes custom properties that are not referenced, directly or indirectly. */
function withoutUnusedVariables(sheet: string, html: string): string {
  const references = new Map<string, string[]>();
  for (const [, name = '', value = ''] of sheet.matchAll(DECLARED))
    references.set(name, [...(references.get(name) ?? []), ...referredIn(value)]);
  const used = new Set<string>();
  const awaited = referredIn(sheet.replaceAll(DECLARED, '') + html);
  for (let name = awaited.pop(); name !== undefined; name = awaited.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    awaited.push(...(references.get(name) ?? []));
  }
  const pruned = sheet.replaceAll(DECLARED, (declared, name: string) => (used.has(name) ? declared : ''));
  return pruned.replaceAll(/[^{}]+\{\s*\}/g, '');
}

function referredIn(text: string): string[] {
  return [...text.matchAll(REFERRED)].map(([, name = '']) => name);
}

/** A sheet's top-level parts: statements that end with a semicolon, and rules with blocks. */
function blocksOf(sheet: string): string[] {
  const blocks: string[] = [];
  let begin = 0;
  let depth = 0;
  for (let at = 0; at < sheet.length; at += 1) {
    const sign = sheet[at];
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    if (depth === 0 && (sign === '}' || sign === ';')) {
      blocks.push(sheet.slice(begin, at + 1).trim());
      begin = at + 1;
    }
  }
  return blocks;
}

function keep(blocks: readonly string[], classes: ReadonlySet<string>): string[] {
  return blocks.flatMap((block) => {
    const opening = block.indexOf('{');
    if (opening < 0) return [block];
    const prelude = block.slice(0, opening);
    if (/^@(media|supports|layer|container)\b/.test(prelude)) {
      const inner = keep(blocksOf(block.slice(opening + 1, -1)), classes);
      return inner.length === 0 ? [] : [`${prelude}{${inner.join('')}}`];
    }
    return prelude.startsWith('@') || canApply(prelude, classes) ? [block] : [];
  });
}

/** Whether one of a rule's selectors has only occurring classes, ignoring those in `:not()`, `:is()` and similar. */
function canApply(prelude: string, classes: ReadonlySet<string>): boolean {
  const plain = prelude.replaceAll(/:(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)/g, '');
  return plain
    .split(',')
    .some((selector) => [...selector.matchAll(/\.([\w-]+)/g)].every(([, name = '']) => classes.has(name)));
}

function isUnusedAnimation(block: string, kept: readonly string[]): boolean {
  const [, name] = /^@keyframes ([\w-]+)/.exec(block) ?? [];
  return name !== undefined && !kept.some((other) => other !== block && other.includes(name));
}
