import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatStamp } from '#server/config/build.ts';
import { webBuildState } from '#server/config/web-build.mjs';
import { isOlder } from '#server/migrations/record.ts';

/**
 * `npm run release -- 1.2.0`: version, changelog section, commit, tag and dist/kasente-1.2.0.tar.gz, which has the web
 * application built. A run that failed after the tag can be repeated.
 */

const root = process.cwd();
const [version = ''] = process.argv.slice(2);

if (!/^\d+\.\d+\.\d+$/.test(version)) refuse('name the version, such as npm run release -- 1.2.0');
if (git('status', '--porcelain') !== '') refuse('there are changes that are not committed: commit or stash them');
if (!isTagged()) {
  if (git('tag', '--list', `v${version}`) !== '')
    refuse(`v${version} is another commit already: choose a higher version`);
  const { version: current }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!isOlder(current, version)) refuse(`it must be higher than ${current}, which this is`);
  writeChangelog();
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  git('commit', '--quiet', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Kasente ${version}`);
}
run(process.execPath, 'scripts/ensure-build.mjs');
const tarball = await pack();
console.log(`${tarball} is release ${version}, commit ${git('rev-parse', '--short=12', 'HEAD')}.`);
console.log('Publish both: git push --follow-tags, and the tarball where operators get it.');

/** Whether an earlier run got as far as creating the tag. */
function isTagged(): boolean {
  return git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`);
}

function writeChangelog(): void {
  const path = join(root, 'CHANGELOG.md');
  const text = readFileSync(path, 'utf8');
  const [, section = ''] = /^## \[Unreleased\]\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(text) ?? [];
  if (!section.includes('\n- '))
    refuse('CHANGELOG.md has nothing under [Unreleased]: say what changes for an operator');
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(path, text.replace('## [Unreleased]', `## [${version}] - ${date}`));
}

/** The commit's files, the built web application and the stamp that names the commit. */
async function pack(): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'kasente-release-'));
  try {
    const name = `kasente-${version}`;
    const folder = join(place, name);
    const archive = execFileSync('git', ['archive', `--prefix=${name}/`, 'HEAD'], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', place], { input: archive });
    cpSync(join(root, 'dist/web'), join(folder, 'dist/web'), { recursive: true });
    cpSync(join(root, 'dist/web.stamp'), join(folder, 'dist/web.stamp'));
    if ((await webBuildState(folder)) !== 'current')
      refuse('the web application is not built from the committed files');
    writeFileSync(join(folder, 'COMMIT'), await formatStamp(folder, git('rev-parse', '--short=12', 'HEAD')));
    const tarball = join('dist', `${name}.tar.gz`);
    execFileSync('tar', ['-czf', join(root, tarball), '--owner=0', '--group=0', '-C', place, name]);
    return tarball;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

function refuse(reason: string): never {
  console.error(`No release was made: ${reason}.`);
  process.exit(1);
}
