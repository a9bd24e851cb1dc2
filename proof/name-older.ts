import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { olderThanTheirCode } from './older.ts';
import type { ShownClaims } from './page.ts';

/**
 * Part of `npm run check`: lists the rows of docs/proof.md that are older than their code. It never fails, because new
 * runs take hours.
 */

const root = join(import.meta.dirname, '..');
const shown: ShownClaims = JSON.parse(readFileSync(join(root, 'docs/proof.json'), 'utf8'));
const older = olderThanTheirCode(shown, root);
if (older.length > 0) {
  console.log(
    `${older.length} of ${Object.keys(shown).length} rows of docs/proof.md are older than the code they prove, or of an unknown commit:`,
  );
  console.log(older.join(', '));
  console.log('`npm run prove -- <claim>` shows one with the present code.');
}
