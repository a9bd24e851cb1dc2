import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appVersion } from '#server/machine/version.ts';
import { isOlder } from '#server/migrations/record.ts';

const root = join(import.meta.dirname, '../..');
const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^#{2,3} .*$/gm) ?? [];
const sections = headings.filter((heading) => heading.startsWith('## '));
/** The changes of the next release may come first. */
const releases = sections[0] === '## [Unreleased]' ? sections.slice(1) : sections;

describe('the changelog', () => {
  it('starts with this release, and dates each release, newest first', () => {
    const versions = releases.map(
      (heading) => /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/.exec(heading)?.[1] ?? heading,
    );
    expect(versions[0]).toBe(appVersion);
    expect(versions.toSorted((one, other) => (isOlder(one, other) ? 1 : -1))).toEqual(versions);
  });

  it('follows Keep a Changelog', () => {
    const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    const others = headings.filter((heading) => !sections.includes(heading) && !kinds.includes(heading.slice(4)));
    expect(others).toEqual([]);
  });

  it('has the lock file’s version', () => {
    expect(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).version).toBe(appVersion);
  });
});
