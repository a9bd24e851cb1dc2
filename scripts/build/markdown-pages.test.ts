import { expect, it } from 'vitest';
import { readPage } from './markdown-pages.ts';

it('splits a page into title, introduction and sections', () => {
  expect(readPage('# Help\n\nFor you.\n\n## If you cannot log in\n\nCall **us**.\n\n- One\n\n## The end\n')).toEqual({
    title: 'Help',
    intro: '<p>For you.</p>\n',
    sections: [
      {
        id: 'if-you-cannot-log-in',
        title: 'If you cannot log in',
        html: '<p>Call <strong>us</strong>.</p>\n<ul>\n<li>One</li>\n</ul>\n',
      },
      { id: 'the-end', title: 'The end', html: '' },
    ],
  });
});

it('refuses a page without a title', () => {
  expect(() => readPage('For you.')).toThrow('begins with its title');
});
