import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

/** The script in a temporary project, with an npm that installs one package and records every call. */
let project = '';

const FAKE_NPM = `#!/bin/sh
echo "$@" >> npm-calls
[ -f npm-fails ] && exit 1
rm -rf node_modules
mkdir -p node_modules/needed
cp npm-note node_modules/.package-lock.json
[ -f npm-leaves-out ] || echo '{"version":"1.0.0"}' > node_modules/needed/package.json
`;

/** A lock file with packages for this platform and another, and npm's record of its installation. */
async function writeLock(version: string): Promise<void> {
  const optional = { version, optional: true, integrity: `sha512-${version}` };
  const installed = { 'node_modules/needed': { ...optional, os: [process.platform], cpu: [process.arch] } };
  const packages = {
    '': { optionalDependencies: { needed: version, elsewhere: version } },
    ...installed,
    'node_modules/elsewhere': { ...optional, os: ['aix'], cpu: ['s390'] },
  };
  await writeFile(join(project, 'package-lock.json'), JSON.stringify({ packages }));
  await writeFile(join(project, 'npm-note'), JSON.stringify({ packages: installed }));
}

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'kasente-install-'));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  await mkdir(join(project, 'bin'));
  for (const name of ['ensure-install.mjs', 'workspace.mjs']) {
    await cp(join(import.meta.dirname, name), join(project, 'scripts', name));
  }
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  await writeLock('1.0.0');
  await writeFile(join(project, 'bin/npm'), FAKE_NPM);
  await chmod(join(project, 'bin/npm'), 0o755);
});

function ensureInstall(
  argument = '',
  environment: Readonly<Record<string, string>> = {},
): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/ensure-install.mjs', argument], {
    cwd: project,
    env: { ...environment, PATH: `${join(project, 'bin')}:/usr/bin:/bin` }, // the fake npm before any real one
    encoding: 'utf8',
  });
  return { status, stderr };
}

async function npmCalls(): Promise<number> {
  const calls = await readFile(join(project, 'npm-calls'), 'utf8').catch(() => '');
  return calls.split('\n').length - 1;
}

test('installs once per lock file, including what NODE_ENV=production would omit', async () => {
  expect(ensureInstall()).toEqual({ status: 0, stderr: '' });
  expect(await readFile(join(project, 'npm-calls'), 'utf8')).toMatch(/^ci --include=dev /);
  expect(ensureInstall().status).toBe(0);
  expect(await npmCalls()).toBe(1);
  await writeLock('2.0.0');
  expect(ensureInstall().status).toBe(0);
  expect(await npmCalls()).toBe(2);
});

test('a failed install is reported and repeated', async () => {
  await writeFile(join(project, 'npm-fails'), '');
  const { status, stderr } = ensureInstall();
  expect(status).toBe(1);
  expect(stderr).toContain('Kasente: the packages could not be installed');
  await rm(join(project, 'npm-fails'));
  expect(ensureInstall().status).toBe(0);
  expect(await npmCalls()).toBe(2);
});

test('a needed package that npm omits silently is a failure', async () => {
  await writeFile(join(project, 'npm-leaves-out'), '');
  const { status, stderr } = ensureInstall();
  expect(status).toBe(1);
  expect(stderr).toContain('npm left out needed, which this machine needs');
  expect(ensureInstall().status).toBe(1);
});

describe('a Node that is too old', () => {
  const machineNode = async (version: string): Promise<void> => {
    await writeFile(join(project, 'bin/node'), `#!/bin/sh\necho ${version}\n`);
    await chmod(join(project, 'bin/node'), 0o755);
  };

  test.each(['18.20.8', '20.18.3', '21.7.3', '22.11.0'])(
    'is refused before anything is changed: %s',
    async (version) => {
      await machineNode(version);
      expect(ensureInstall()).toEqual({
        status: 1,
        stderr: `Kasente: Node ${version} is too old to install Kasente, which needs Node 20.19, 22.12, or 24 or later: install one from nodejs.org, then start again. Nothing was changed.\n`,
      });
      expect(await npmCalls()).toBe(0);
    },
  );

  test.each(['20.19.2', '22.12.0', '24.21.0', '26.0.0'])('is none: %s', async (version) => {
    await machineNode(version);
    expect(ensureInstall().status).toBe(0);
    const stamp = await readFile(join(project, 'node_modules/.kasente-install'), 'utf8');
    expect(stamp).toMatch(new RegExp(`^[0-9a-f]{64} \\S+\\nnode ${version.replaceAll('.', '\\.')}, npm`));
  });

  test('leaves packages out without a word, which the next start with another one repairs', async () => {
    await machineNode('18.20.8');
    spawnSync(join(project, 'bin/npm'), ['ci'], { cwd: project });
    const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
    const native = { version: '1.0.0', optional: true, dev: true, os: [process.platform], cpu: [process.arch] };
    lock.packages['node_modules/tool/node_modules/native'] = native;
    await writeFile(join(project, 'package-lock.json'), JSON.stringify(lock));
    const hash = createHash('sha256').update(JSON.stringify(lock)).digest('hex');
    await writeFile(join(project, 'node_modules/.kasente-install'), `${hash} ${process.platform}-${process.arch}\n`);
    expect(ensureInstall().stderr).toContain('Node 18.20.8 is too old');
    await machineNode('20.19.2');
    await writeFile(
      join(project, 'bin/npm'),
      `${FAKE_NPM}mkdir -p node_modules/tool/node_modules/native\necho '{"version":"1.0.0"}' > node_modules/tool/node_modules/native/package.json\n`,
    );
    expect(ensureInstall()).toEqual({ status: 0, stderr: '' });
    expect(await npmCalls()).toBe(2);
    expect(ensureInstall().status).toBe(0);
    expect(await npmCalls()).toBe(2);
  });
});

test('a download that does not end says what is awaited and which settings to check, without their values', async () => {
  await writeFile(
    join(project, 'bin/npm'),
    `#!/bin/sh\nwhile [ ! -e go-on ]; do sleep 0.05; done\n${FAKE_NPM.slice(10)}`,
  );
  const child = spawn(process.execPath, ['scripts/ensure-install.mjs'], {
    cwd: project,
    env: {
      PATH: `${join(project, 'bin')}:/usr/bin:/bin`,
      HTTPS_PROXY: 'http://kasente:s3cret@proxy.invalid',
      KASENTE_SILENCE_MS: '50',
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes('still waiting')) writeFileSync(join(project, 'go-on'), '');
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(output).toMatch(/after 0 s still waiting for "npm ci", which downloads .*: the proxy is set by HTTPS_PROXY;/);
  expect(output).not.toMatch(/s3cret|proxy\.invalid/);
});

test('a manual npm ci counts, unless it did not install what it recorded', async () => {
  spawnSync(join(project, 'bin/npm'), ['ci'], { cwd: project });
  expect(ensureInstall().status).toBe(0);
  expect(await npmCalls()).toBe(1);
  await writeLock('2.0.0');
  await cp(join(project, 'npm-note'), join(project, 'node_modules/.package-lock.json')); // --package-lock-only does
  expect(ensureInstall().status).toBe(0);
  expect(await npmCalls()).toBe(2);
});

test('operator tools never install, do not need what production omits, and report anything else that is missing', async () => {
  const { status, stderr } = ensureInstall('--look');
  expect([status, stderr]).toEqual([
    1,
    'Kasente: the packages are not those of package-lock.json: run npm ci first (in production npm ci --omit=dev).\n',
  ]);
  expect(await npmCalls()).toBe(0);
  spawnSync(join(project, 'bin/npm'), ['ci'], { cwd: project });
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
  lock.packages['node_modules/for-development'] = { version: '1.0.0', dev: true };
  await writeFile(join(project, 'package-lock.json'), JSON.stringify(lock));
  expect(ensureInstall('--look')).toEqual({ status: 0, stderr: '' });
  await rm(join(project, 'node_modules/needed/package.json'));
  expect(ensureInstall('--look').status).toBe(1);
  expect(await npmCalls()).toBe(1);
});

test('operator tools only check the installation', async () => {
  const { scripts } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8'));
  for (const tool of [
    'user',
    'backup',
    'restore',
    'audit:verify',
    'files:verify',
    'doctor',
    'messages',
    'demonstration',
  ]) {
    expect([tool, scripts[`pre${tool}`]]).toEqual([tool, 'node scripts/ensure-install.mjs --look']);
  }
});

test('the packaged Node is linked if npm did not link it', async () => {
  const packaged = join(project, `node_modules/node-${process.platform}-${process.arch}/bin`);
  expect(ensureInstall().status).toBe(0);
  await mkdir(packaged, { recursive: true });
  await cp(process.execPath, join(packaged, 'node'));
  expect(ensureInstall()).toEqual({ status: 0, stderr: '' });
  const link = await readlink(join(project, 'node_modules/.bin/node'));
  expect(link).toBe(`../node-${process.platform}-${process.arch}/bin/node`);
});

test('commits are checked, but not in CI, nor where nobody commits', async () => {
  const hooks = () => spawnSync('git', ['config', 'core.hooksPath'], { cwd: project, encoding: 'utf8' }).stdout.trim();
  expect(ensureInstall().status).toBe(0);
  await cp(join(import.meta.dirname, '../node_modules/husky'), join(project, 'node_modules/husky'), {
    recursive: true,
  });
  expect(ensureInstall()).toEqual({ status: 0, stderr: '' });
  spawnSync('git', ['init', '--quiet'], { cwd: project });
  expect(ensureInstall('', { CI: 'true' })).toEqual({ status: 0, stderr: '' });
  expect(hooks()).toBe('');
  expect(ensureInstall()).toEqual({ status: 0, stderr: '' });
  expect(hooks()).toBe('.husky/_');
});
