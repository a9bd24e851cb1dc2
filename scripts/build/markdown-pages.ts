import { marked, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';

/** A page of Markdown: the text before its first section, and a section for each heading of the second level. */
export interface MarkdownPage {
  readonly title: string;
  readonly intro: string;
  readonly sections: readonly { readonly id: string; readonly title: string; readonly html: string }[];
}

/**
 * Lets the web import a page of docs/ as a {@link MarkdownPage}, rendered while it is built: the repository and the
 * application show one text. The HTML is trusted, because the page is part of this repository.
 */
export function markdownPages(): Plugin {
  return {
    name: 'markdown-pages',
    transform: {
      filter: { id: /\/docs\/[\w-]+\.md$/ },
      handler: (text) => ({
        code: `export default ${JSON.stringify(readPage(text))};`,
        moduleType: 'js',
        map: null,
      }),
    },
  };
}

/** Splits and renders a page; throws if it does not begin with a title. */
export function readPage(text: string): MarkdownPage {
  const [first, ...tokens] = marked.lexer(text);
  if (first === undefined || !isHeading(first, 1)) throw new Error('a page of Markdown begins with its title');
  const headings = tokens.filter((token) => isHeading(token, 2));
  const htmlAfter = (start: number, end: Token | undefined): string =>
    marked.parser(tokens.slice(start, end === undefined ? undefined : tokens.indexOf(end)));
  const sections = headings.map((heading, index) => ({
    id: heading.text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    title: heading.text,
    html: htmlAfter(tokens.indexOf(heading) + 1, headings[index + 1]),
  }));
  return { title: first.text, intro: htmlAfter(0, headings[0]), sections };
}

function isHeading(token: Token, depth: number): token is Tokens.Heading {
  return token.type === 'heading' && token.depth === depth;
}
