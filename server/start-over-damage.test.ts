import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import { outputOf, startsInFolder, stop } from './start.harness.ts';

/**
 * A start over a folder in which something is missing or half written is refused in one sentence, and creates nothing.
 */

const starts = startsInFolder();

/** The contents of the data folder, except PostgreSQL's own: a refused start must leave them as they were. */
async function contentsOf(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const found = entries.map(async (entry) => {
    const at = relative(path, join(entry.parentPath, entry.name));
    return entry.isFile() ? `${at}: ${hash('sha256', await readFile(join(path, at)))}` : at;
  });
  return (await Promise.all(found)).filter((one) => !one.startsWith('postgres/')).toSorted();
}

describe('a start over what is missing or half written', () => {
  /** What a start printed about the folder, and everything it did besides refusing in one sentence. */
  async function meets(preload: readonly string[] = []) {
    const before = await contentsOf(starts.folder);
    // Without this, a start that fails to refuse would spend its time on the demonstration.
    const child = starts.run({ SEED: 'none' }, preload);
    const output = outputOf(child);
    const ended = await new Promise<number | string | null>((resolve) => {
      child.stdout?.on('data', () => output().includes('Kasente runs at') && resolve('started'));
      child.once('close', resolve);
    });
    if (ended === 'started') await stop(child, 'SIGTERM');
    const faults = [];
    if (ended !== 1) faults.push(`ended with ${ended}`);
    if (!/^Kasente did not start: [^\n]+\n$/.test(output())) faults.push('said more than a sentence');
    if (!isDeepStrictEqual(await contentsOf(starts.folder), before)) faults.push('made or changed something');
    return { output: output(), faults };
  }

  async function put(file: string, content: string): Promise<void> {
    await mkdir(dirname(join(starts.folder, file)), { recursive: true });
    await writeFile(join(starts.folder, file), content);
  }

  const RESTORE = 'npm run restore -- <the backup’s folder> --beside-documents';
  const cases = [
    {
      name: 'a secret that is empty',
      prepare: () => put('secret.key', ''),
      says: ['is empty or cut off (0 characters'],
    },
    {
      name: 'a secret that is cut off',
      prepare: () => put('secret.key', 'x'.repeat(31)),
      says: ['is empty or cut off (31 characters'],
    },
    {
      name: 'documents whose database is missing',
      prepare: () => put('documents/ab/document', 's'.repeat(43)),
      says: ['the database is missing from ', 'where there are documents of one', RESTORE],
    },
    {
      name: 'a secret whose database is missing',
      prepare: () => put('secret.key', 's'.repeat(43)),
      says: ['the database is missing from ', 'where there is a secret of one', RESTORE],
    },
    {
      name: 'a database with data whose secret is missing',
      prepare: async () => {
        await starts.hasRunBefore();
        await rm(join(starts.folder, 'secret.key'));
      },
      says: ['the database has data, but its secret is missing'],
    },
  ];

  it.each(cases)('is refused: $name', async ({ name, prepare, says }) => {
    await prepare();
    const { output, faults } = await meets();
    expect(faults).toEqual([]);
    for (const words of says) expect(output).toContain(words);
    proved('starts', `${name}: refused in a sentence, nothing made or changed`);
  });

  // `npm run prove` plants all of them.
  it.each(full ? cases : cases.slice(-1))(
    'is found where it goes on as before it looked: $name',
    async ({ name, prepare }) => {
      await prepare();
      const { output, faults } = await meets([
        '--import',
        join(import.meta.dirname, '../testing/careless-start.child.ts'),
      ]);
      expect(faults).toContain('made or changed something');
      expect(output).not.toContain('does not look as it did');
      canaryFound('starts', `a start that does not look, over ${name}: ${faults.join(', ')}`);
    },
  );

  it('is taken up again once the secret is back', async () => {
    await starts.hasRunBefore();
    const secret = await readFile(join(starts.folder, 'secret.key'), 'utf8');
    expect(secret).toMatch(/^[\w-]{43}$/);
    await rm(join(starts.folder, 'secret.key'));
    expect((await meets()).faults).toEqual([]);
    await put('secret.key', secret);
    await stop((await starts.start()).child, 'SIGTERM');
  });
});
