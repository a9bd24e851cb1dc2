import { describe, expect, it } from 'vitest';
import { matchRoutes, type PlainRoute } from './router.tsx';

interface Named extends PlainRoute<Named> {
  readonly name: string;
}

const routes: readonly Named[] = [
  {
    name: 'around',
    children: [
      { name: 'login', path: '*' },
      { name: 'start', path: '/application/start' },
      {
        name: 'layout',
        children: [
          { name: 'home', path: '/home' },
          { name: 'root', path: '/' },
          { name: 'one', path: '/application/:tag' },
          { name: 'case', path: '/desk/:tag/of/:other' },
        ],
      },
    ],
  },
];

const found = (pathname: string) => {
  const matched = matchRoutes(routes, pathname);
  return [matched?.routes.map(({ name }) => name).join(' > '), matched?.params];
};

describe('matchRoutes', () => {
  it('finds a path with the routes around it, ignoring case and a trailing slash', () => {
    for (const path of ['/home', '/home/', '/Home']) expect(found(path), path).toEqual(['around > layout > home', {}]);
    expect(found('/')).toEqual(['around > layout > root', {}]);
  });

  it('prefers literal segments to parameters, and both to *', () => {
    expect(found('/application/start')).toEqual(['around > start', {}]);
    expect(found('/application/77')).toEqual(['around > layout > one', { tag: '77' }]);
    expect(found('/application/77/more')).toEqual(['around > login', {}]);
    expect(found('/nowhere')).toEqual(['around > login', {}]);
  });

  it('passes decoded parameters, or the raw text if decoding fails', () => {
    expect(found('/desk/a%20b/of/100%')[1]).toEqual({ tag: 'a b', other: '100%' });
  });

  it('finds nothing if there is no route', () => {
    expect(matchRoutes([{ path: '/home' }], '/')).toBeUndefined();
  });
});
