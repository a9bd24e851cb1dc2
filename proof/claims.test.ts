import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Claim, claims } from './claims.ts';
import { proofPage } from './page.ts';

/** Every claim has a file that shows it, which says what it found and that it finds a planted fault. */

const root = join(import.meta.dirname, '..');

/** A file and the harnesses beside it, to which it may have left the saying. */
function sourcesOf(path: string): string {
  const folder = join(root, path, '..');
  const harnesses = readdirSync(folder).filter((name) => name.endsWith('.harness.ts'));
  return [
    readFileSync(join(root, path), 'utf8'),
    ...harnesses.map((name) => readFileSync(join(folder, name), 'utf8')),
  ].join('\n');
}

describe.each(Object.entries<Claim>(claims))('%s', (id, { by }) => {
  it(`is shown by ${by}, with its figure and its canary`, () => {
    const sources = sourcesOf(by);
    expect(sources).toContain(`'${id}'`);
    expect(sources).toContain('proved(');
    expect(sources).toContain('canaryFound(');
  });
});

it('the page has a row for each claim, and says of none that it holds before it was shown', () => {
  const page = proofPage({});
  for (const id of Object.keys(claims)) expect(page).toContain(`\`npm run prove -- ${id}\``);
  expect(page).not.toContain('| yes |');
});

it('the page of the repository is the one that its figures make', () => {
  const shown = JSON.parse(readFileSync(join(root, 'docs/proof.json'), 'utf8'));
  expect(readFileSync(join(root, 'docs/proof.md'), 'utf8')).toBe(proofPage(shown));
});
