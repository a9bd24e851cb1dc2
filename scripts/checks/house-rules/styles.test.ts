import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { files, root } from './sources.ts';

/** Sizes of text, gaps and colours come from the theme (web/ui/theme/). */

/** Text shrinks to fit its container, takes the size around it, or has a size of the theme. */
const SIZE = /font-size: (?!var\(--(mantine-font-size|hero-size)|inherit|min\(var\(--)/;
const GAP = /^\s*(gap|(row|column)-gap|padding[a-z-]*|margin[a-z-]*):.*(?<![\w.-])(4|6|8|10|12|14|16|24|32)px/;
const COLOUR = /(?<!var\()#[0-9a-f]{3,8}\b|\brgba?\(\d/i;

/** A QR code is black on white in every colour scheme, and so is paper. */
const onPaper = ['own-account/qr-code', 'documents/document-viewer', 'theme/logo'];

function offendersIn(text: string, path: string): string[] {
  const rules = onPaper.some((part) => path.includes(part)) ? [SIZE, GAP] : [SIZE, GAP, COLOUR];
  return text
    .split('\n')
    .filter(
      (line) => !line.includes('box-shadow') && !line.includes('color-mix') && rules.some((rule) => rule.test(line)),
    )
    .map((line) => `${path}: ${line.trim()}`);
}

it('takes sizes of text, gaps and colours from the theme alone', () => {
  const planted = ['font-size: 1.1rem;', 'gap: 6px var(--mantine-spacing-md);', 'color: #12a;'];
  for (const line of planted) expect(offendersIn(line, 'web/a.module.css')).toHaveLength(1);
  const styles = files.filter((path) => path.startsWith('web/') && path.endsWith('.css'));
  expect(styles.length).toBeGreaterThan(40);
  expect(styles.flatMap((path) => offendersIn(readFileSync(join(root, path), 'utf8'), path))).toEqual([]);
});
