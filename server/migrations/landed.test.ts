import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import landed from './landed.json' with { type: 'json' };

/** Landed migrations are never edited: new databases must equal those that they made. */

const folder = import.meta.dirname;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(\d{4}-|reference\/).*\.(ts|sql)$/.test(file) && !file.endsWith('.test.ts'))
  .sort();

function digestOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
}

describe('a migration', () => {
  it('is as it landed', () => {
    const edited = Object.entries(landed).filter(
      ([file, digest]) => !files.includes(file) || digestOf(file) !== digest,
    );
    expect(
      edited.map(([file]) => file),
      'These landed and were edited or removed. Put them back (git checkout), and write what should be other as a new migration',
    ).toEqual([]);
  });

  it('is listed once it lands', () => {
    const unlisted = files.filter((file) => !Object.hasOwn(landed, file));
    expect(
      unlisted.map((file) => `"${file}": "${digestOf(file)}"`),
      'Add these lines to server/migrations/landed.json when the migration is ready to land; from then on it is never edited',
    ).toEqual([]);
  });
});
