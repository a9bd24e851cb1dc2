import { Marked, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';

/**
 * Lets the web import a page of Markdown as a function that makes its React elements (web/public-pages/markdown.d.ts). Beside
 * plain Markdown a page may have definition lists, `<Component />` and `{VALUE}`; web/public-pages/text-page.tsx has both.
 */
export function markdownPages(): Plugin {
  return {
    name: 'markdown-pages',
    transform: {
      filter: { id: /\/(?:docs|web\/public-pages(?:\/earlier)?)\/[\w-]+\.md$/ },
      handler: (text) => ({ code: `export default ${pageCode(text)};`, moduleType: 'js', map: null }),
    },
  };
}

/** Terms, each with an explanation below it that begins with ': '. */
const DEFINITIONS = /^(?:[^\n]+\n: [^\n]+(?:\n {2}[^\n]+)*(?:\n+|$))+/;

const marked = new Marked({
  extensions: [
    {
      name: 'definitions',
      level: 'block',
      tokenizer(source) {
        const raw = DEFINITIONS.exec(source)?.[0];
        if (raw === undefined) return undefined;
        const items = raw
          .trim()
          .split(/\n\n+/)
          .map((item) => {
            const [term = '', explanation = ''] = item.split('\n: ');
            return { term: this.lexer.inlineTokens(term), explanation: this.lexer.inlineTokens(explanation) };
          });
        return { type: 'definitions', raw, items };
      },
    },
  ],
});

/**
 * The code of a page's function; throws if the page does not begin with a title, or contains something that cannot be
 * rendered.
 */
export function pageCode(text: string): string {
  const [first, ...tokens] = marked.lexer(text).filter(({ type }) => type !== 'space');
  if (first === undefined || !isHeading(first, 1)) throw new Error('a page of Markdown begins with its title');
  const take = (line: RegExp): string | undefined => {
    const found = line.exec(tokens[0]?.raw.trim() ?? '')?.[1];
    if (found !== undefined) tokens.shift();
    return found;
  };
  const updated = take(/^Last updated (.+)$/);
  const version = take(/^Version of (.+)$/);
  const headings = tokens.filter((token) => isHeading(token, 2));
  const between = (start: number, end: Token | undefined): string =>
    `h(Fragment, null, ${children(tokens.slice(start, end === undefined ? undefined : tokens.indexOf(end)))})`;
  const sections = headings.map((heading, index) => {
    const id = heading.text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const body = between(tokens.indexOf(heading) + 1, headings[index + 1]);
    return `{ id: ${JSON.stringify(id)}, title: ${JSON.stringify(heading.text)}, body: ${body} }`;
  });
  return `(h, Fragment, part) => ({
    title: ${JSON.stringify(first.text)},
    updated: ${JSON.stringify(updated)},
    version: ${JSON.stringify(version)},
    intro: ${between(0, headings[0])},
    sections: [${sections.join(',\n')}],
  })`;
}

function isHeading(token: Token, depth: number): token is Tokens.Heading {
  return token.type === 'heading' && token.depth === depth;
}

function children(tokens: readonly Token[] = []): string {
  return tokens.map(elementCode).join(', ');
}

function elementCode(token: Token): string {
  const inner = (): string => children('tokens' in token ? token.tokens : []);
  switch (token.type) {
    case 'paragraph':
      return `h('p', null, ${inner()})`;
    case 'list':
      return `h('${token.ordered === true ? 'ol' : 'ul'}', null, ${children(token.items)})`;
    case 'list_item':
      return `h('li', null, ${inner()})`;
    case 'definitions':
      return `h('dl', null, ${token.items.map(definitionCode).join(', ')})`;
    case 'strong':
      return `h('strong', null, ${inner()})`;
    case 'codespan':
      return `h('code', null, ${JSON.stringify(token.text)})`;
    case 'link':
      return linkCode(String(token.href), inner());
    case 'text':
      return token.tokens === undefined ? textCode(String(token.text)) : inner();
    case 'html': {
      const name = /^<(\w+) \/>$/.exec(token.raw.trim())?.[1];
      if (name !== undefined) return `h(part('${name}'))`;
    }
  }
  throw new Error(`a page of Markdown has no ${token.type} such as ${token.raw}`);
}

function definitionCode({ term, explanation }: Readonly<Record<'term' | 'explanation', readonly Token[]>>): string {
  return `h('div', null, h('dt', null, ${children(term)}), h('dd', null, ${children(explanation)}))`;
}

/** A link within the application changes the screen without loading the page again. */
function linkCode(href: string, inner: string): string {
  if (href.startsWith('/')) return `h(part('Link'), { to: ${JSON.stringify(href)} }, ${inner})`;
  const props = href.startsWith('#') ? { href } : { href, rel: 'noopener noreferrer' };
  return `h('a', ${JSON.stringify(props)}, ${inner})`;
}

/** The text on one line, with its `{VALUE}`s. */
function textCode(text: string): string {
  const pieces = text.replaceAll(/ *\n */g, ' ').split(/\{(\w+)\}/);
  return pieces.map((piece, index) => (index % 2 === 1 ? `part('${piece}')` : JSON.stringify(piece))).join(', ');
}
