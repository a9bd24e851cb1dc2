import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agreedVersions } from '#contract/applications/agreed-texts.ts';

/** Each version of the public texts stays as it was published: applications refer to it. */

const published = {
  'about.md': '0401ac2cdf900c4f528e2760c0419faf487008906e8a0c9a3ee2cd1169a6a5b8',
  'earlier/about-2025-08-18.md': '8378e20db3da77cb05431b359da9b84f38f6dcd1d98c55690c9f368a8304a1f6',
  'earlier/privacy-policy-2025-06-25.md': '4cd86355438453550da4d4972301d66e6ec8e0e2fe6e3c58a00a56d608b295e8',
  'earlier/user-agreement-2025-06-25.md': 'b474335c95bdc4bc71cad593bdb1bb9aa693631ea1a6af3d56f9cb93ad310dbf',
  'privacy-policy.md': '0c1cec10db3c83d9701efb019e5f2686cbd3f10bcc58bd54d6fe4cbb3f3e43e5',
  'user-agreement.md': '5d81c3fa0c2110414e2eadfe8e5486ec1b5e4605c0aad94ac23bee5efeda538a',
};

const folder = join(import.meta.dirname, '../../web/public-pages');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

function dayOf(file: string): string {
  const day = /^Version of (.+)$/m.exec(read(file))?.[1];
  return new Date(`${day} UTC`).toISOString().slice(0, 10);
}

it('public texts stay as they were published', () => {
  const earlier = readdirSync(join(folder, 'earlier')).map((file) => `earlier/${file}`);
  const files = ['about.md', 'privacy-policy.md', 'user-agreement.md', ...earlier];
  expect(
    Object.fromEntries(files.map((file) => [file, createHash('sha256').update(read(file)).digest('hex')])),
    'A published text changed. Copy the version before to web/public-pages/earlier/ with its figures, give the new one its day, and list both above',
  ).toEqual(published);
});

it('applications keep the versions that the pages name', () => {
  expect(agreedVersions).toEqual({
    userAgreement: dayOf('user-agreement.md'),
    privacyPolicy: dayOf('privacy-policy.md'),
  });
});
