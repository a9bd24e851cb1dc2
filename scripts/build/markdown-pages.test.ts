import { createElement, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { pageCode } from './markdown-pages.ts';

interface Page {
  readonly title: string;
  readonly updated?: string;
  readonly version?: string;
  readonly intro: ReactNode;
  readonly sections: readonly { readonly id: string; readonly title: string; readonly body: ReactNode }[];
}

/** The page that the application shows, its elements as HTML. */
async function shown(text: string) {
  const { default: make } = await import(
    `data:text/javascript,${encodeURIComponent(`export default ${pageCode(text)}`)}`
  );
  const part = (name: string) =>
    name === 'LIMIT' ? 90 : ({ to, children }: never) => createElement('i', null, name, to, children);
  const { intro, sections, ...page }: Page = make(createElement, Fragment, part);
  return {
    ...page,
    intro: renderToStaticMarkup(intro),
    sections: sections.map(({ body, ...section }) => ({ ...section, html: renderToStaticMarkup(body) })),
  };
}

it('splits a page into title, dates, introduction and sections', async () => {
  expect(
    await shown(
      '# Help\n\nLast updated June 1, 2025\n\nVersion of May 2, 2026\n\nFor\nyou.\n\n## If you cannot log in\n\nCall **us**.\n\n- `One`\n\n## The end\n',
    ),
  ).toEqual({
    title: 'Help',
    updated: 'June 1, 2025',
    version: 'May 2, 2026',
    intro: '<p>For you.</p>',
    sections: [
      {
        id: 'if-you-cannot-log-in',
        title: 'If you cannot log in',
        html: '<p>Call <strong>us</strong>.</p><ul><li><code>One</code></li></ul>',
      },
      { id: 'the-end', title: 'The end', html: '' },
    ],
  });
});

it('shows terms with explanations, values, components and links', async () => {
  const { intro, sections } = await shown(
    '# Fees\n\nFees\n: At most {LIMIT}% of\n  it\n\n`Key`\n: See [the table](/table)\n\nThat <Much />.\n\n## In all\n\n<Table />\n\n[Up](#fees), [law](https://law.test)\n',
  );
  expect(intro).toBe(
    '<dl><div><dt>Fees</dt><dd>At most 90% of it</dd></div>' +
      '<div><dt><code>Key</code></dt><dd>See <i>Link/tablethe table</i></dd></div></dl><p>That <i>Much</i>.</p>',
  );
  expect(sections[0]?.html).toBe(
    '<i>Table</i><p><a href="#fees">Up</a>, <a href="https://law.test" rel="noopener noreferrer">law</a></p>',
  );
});

it('refuses a page without a title, and what it cannot show', () => {
  expect(() => pageCode('For you.')).toThrow('begins with its title');
  expect(() => pageCode('# Help\n\n<b>you</b>')).toThrow('has no html such as <b>');
});
