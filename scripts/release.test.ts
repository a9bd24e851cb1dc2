import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readCommit } from '#server/config/build.ts';
import { webBuildState } from '#server/config/web-build.mjs';

/** Runs the command in a temporary repository, whose web build is a stand-in that takes no time. */
let project: string;

const root = join(import.meta.dirname, '..');
const BUILD = `import { mkdirSync, writeFileSync } from 'node:fs';
import { hashOfSources } from '#server/config/web-build.mjs';
mkdirSync('dist/web', { recursive: true });
writeFileSync('dist/web/index.html', 'the built application');
writeFileSync('dist/web.stamp', await hashOfSources(process.cwd()));
`;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'kasente-release-test-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  for (const name of ['scripts', 'web']) mkdirSync(join(project, name));
  for (const name of ['contract', 'server', 'scripts/release.ts', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(project, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, '.gitignore'), 'node_modules\ndist/\n.npm/\n');
  writeFileSync(join(project, 'scripts/ensure-build.mjs'), BUILD);
  writeFileSync(join(project, 'web/main.tsx'), '');
  writeFileSync(
    join(project, 'CHANGELOG.md'),
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [1.1.0] - 2026-11-25\n',
  );
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
});

const AUTHOR = {
  GIT_AUTHOR_NAME: 'T',
  GIT_AUTHOR_EMAIL: 't@kasente.test',
  GIT_COMMITTER_NAME: 'T',
  GIT_COMMITTER_EMAIL: 't@kasente.test',
};

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...AUTHOR },
  }).trim();
}

function release(version: string) {
  const env = { PATH: process.env.PATH, HOME: project, ...AUTHOR };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.ts', version], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('makes version, changelog, tag and a tarball that names its commit and has the web application built', async () => {
  const { status, stderr, stdout } = release('99.0.0');
  expect([status, stderr]).toEqual([0, '']);
  const commit = git('rev-parse', '--short=12', 'v99.0.0^{commit}');
  expect(stdout).toContain(`dist/kasente-99.0.0.tar.gz is release 99.0.0, commit ${commit}.`);
  expect(git('status', '--porcelain')).toBe('');
  expect(JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')).version).toBe('99.0.0');
  expect(readFileSync(join(project, 'CHANGELOG.md'), 'utf8')).toMatch(
    /\n## \[99\.0\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\./,
  );
  execFileSync('tar', ['-xzf', 'dist/kasente-99.0.0.tar.gz', '-C', 'dist'], { cwd: project });
  const unpacked = join(project, 'dist/kasente-99.0.0');
  expect(await webBuildState(unpacked)).toBe('current');
  expect(await readCommit(unpacked)).toBe(commit);
  writeFileSync(join(unpacked, 'server/app.ts'), '');
  expect(await readCommit(unpacked)).toMatch(/-changed\./);
  rmSync(join(project, 'dist'), { recursive: true });
  expect(release('99.0.0').status).toBe(0); // repeated, after a failure that lost the tarball
});

test('refuses what would be no release, and changes nothing', () => {
  const refusals = (): string[] => {
    return ['', 'v2', '0.9.0', '99.0.0'].map((version) => release(version).stderr);
  };
  writeFileSync(join(project, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-11-25\n');
  expect(release('99.0.0').stderr).toContain('there are changes that are not committed');
  git('commit', '--quiet', '--all', '--message', 'Nothing to say');
  expect(refusals()).toEqual([
    expect.stringContaining('name the version'),
    expect.stringContaining('name the version'),
    expect.stringContaining('it must be higher than'),
    expect.stringContaining('nothing under [Unreleased]'),
  ]);
  git('tag', 'v99.0.0', 'HEAD~1');
  expect(release('99.0.0').stderr).toContain('v99.0.0 is another commit already');
  expect(git('status', '--porcelain')).toBe('');
});
