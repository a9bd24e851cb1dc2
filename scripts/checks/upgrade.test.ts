import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

/** deploy/upgrade.sh with stand-ins for the programs that it runs; each records its call in a list. */

const root = join(import.meta.dirname, '../..');
let place: string;

const STAND_INS: Readonly<Record<string, string>> = {
  runuser: 'shift 3; "$@"',
  systemctl:
    '[ "$1" = list-units ] && echo "kasente@3000.service loaded active"\n[ "$1 $2" = "restart kasente@3000.service" ] && [ -e fails-to-start ] && exit 1\ntrue',
  curl: 'true',
  npm: 'mkdir -p node_modules/.bin && cp "$PLACE/bin/tool" node_modules/.bin/node',
  node: '[ "$1" != scripts/ensure-install.mjs ] || npm',
  tool: '[ -e "$PLACE/doctor-finds-a-fault" ] && [ "$1" = scripts/doctor.ts ] && exit 1\ntrue',
};

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'kasente-upgrade-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  for (const name of ['bin', 'units', 'backups']) mkdirSync(join(place, name));
  for (const [name, body] of Object.entries(STAND_INS)) {
    writeFileSync(
      join(place, 'bin', name),
      `#!/bin/sh\necho "${name} $* in $(basename "$PWD") of $(cat release 2>/dev/null)" >>"$PLACE/calls"\n${body}\n`,
    );
    chmodSync(join(place, 'bin', name), 0o755);
  }
  writeFileSync(join(place, 'settings'), "DATA_DIR='/data'\n");
  writeRelease('kasente', 'old');
  mkdirSync(join(place, 'kasente/node_modules/.bin'), { recursive: true });
  cpSync(join(place, 'bin/tool'), join(place, 'kasente/node_modules/.bin/node'));
  writeRelease('kasente-2.0.0', 'new');
  spawnSync('tar', ['-czf', 'kasente-2.0.0.tar.gz', 'kasente-2.0.0'], { cwd: place });
});

function writeRelease(folder: string, name: string): void {
  mkdirSync(join(place, folder, 'deploy/systemd'), { recursive: true });
  writeFileSync(join(place, folder, 'release'), name);
  writeFileSync(join(place, folder, 'deploy/systemd/kasente@.service'), name);
}

function upgrade(release: string) {
  rmSync(join(place, 'calls'), { force: true });
  const env = {
    PATH: `${join(place, 'bin')}:/usr/bin:/bin`,
    PLACE: place,
    KASENTE_FOLDER: join(place, 'kasente'),
    KASENTE_SETTINGS: join(place, 'settings'),
    KASENTE_BACKUPS: join(place, 'backups'),
    KASENTE_UNITS: join(place, 'units'),
  };
  const { status, stderr } = spawnSync('sh', [join(root, 'deploy/upgrade.sh'), release], {
    cwd: place,
    env,
    encoding: 'utf8',
  });
  const calls = existsSync(join(place, 'calls')) ? readFileSync(join(place, 'calls'), 'utf8') : '';
  return {
    status,
    stderr,
    tools: [...calls.matchAll(/^tool scripts\/(\w+)\.ts .* of (\w+)$/gm)].map(([, tool, of]) => `${tool} of ${of}`),
    calls,
  };
}

const running = (): string => readFileSync(join(place, 'kasente/release'), 'utf8');
const tarball = (): string => join(place, 'kasente-2.0.0.tar.gz');
const byNewer = (): string => join(place, 'units/kasente-backup.service.d/newer-release.conf');

test('looks at the settings with the new release, backs up with the old one, switches, and goes back', () => {
  const { status, tools, calls } = upgrade(tarball());
  expect([status, tools, running()]).toEqual([0, ['doctor of new', 'backup of old'], 'new']);
  expect(calls).toMatch(/tool scripts\/backup\.ts \S+\/backups\/before-kasente-2\.0\.0-\d{4}-\d\d-\d\dT\d{6} /);
  expect(calls).toContain('systemctl restart kasente@3000.service');
  expect(readFileSync(join(place, 'units/kasente@.service'), 'utf8')).toBe('new');

  expect([upgrade('--back').status, running()]).toEqual([0, 'old']);
  expect(readFileSync(byNewer(), 'utf8')).toBe(`[Service]\nWorkingDirectory=${place}/kasente.newer\n`);
  expect(existsSync(join(place, 'kasente.newer/node_modules'))).toBe(true);
  expect([upgrade('--back').status, running()]).toEqual([0, 'old']);

  const again = upgrade(tarball());
  expect([again.status, running(), existsSync(byNewer())]).toEqual([0, 'new', false]);
  expect(again.calls).toMatch(/^tool scripts\/backup\.ts .* in kasente\.newer of new$/m); // the older one would refuse
});

test('stops before the switch if the new release refuses the settings, and can be repeated', () => {
  writeFileSync(join(place, 'doctor-finds-a-fault'), '');
  const stopped = upgrade(tarball());
  expect([stopped.status, stopped.tools, running()]).toEqual([1, ['doctor of new'], 'old']);
  expect(stopped.calls).not.toContain('systemctl');
  rmSync(join(place, 'doctor-finds-a-fault'));
  expect([upgrade(tarball()).status, running()]).toEqual([0, 'new']);
});

test('says how to go back if a server does not start, and keeps the release before when repeated', () => {
  writeFileSync(join(place, 'fails-to-start'), '');
  for (const _ of ['first', 'again']) {
    const { status, stderr } = upgrade(tarball());
    expect([status, stderr]).toEqual([1, expect.stringContaining('upgrade.sh --back')]);
  }
  rmSync(join(place, 'fails-to-start'));
  expect([upgrade('--back').status, running()]).toEqual([0, 'old']);
});

describe('with a tag', () => {
  const git = (folder: string, ...args: string[]): void => {
    const author = ['-c', 'user.name=T', '-c', 'user.email=t@kasente.test'];
    execFileSync('git', [...author, ...args], { cwd: join(place, folder), stdio: 'ignore' });
  };
  const commitAs = (folder: string, tag: string): void => {
    git(folder, 'add', '--all');
    git(folder, 'commit', '--message', tag);
    git(folder, 'tag', tag);
  };

  /** The server runs from a clone of a repository that has since tagged a new release. */
  beforeEach(() => {
    writeRelease('origin', 'old');
    writeFileSync(join(place, 'origin/.gitignore'), 'node_modules/\n');
    git('origin', 'init');
    commitAs('origin', 'v1.0.0');
    git('.', 'clone', join(place, 'origin'), 'checkout');
    cpSync(join(place, 'checkout/.git'), join(place, 'kasente/.git'), { recursive: true });
    writeRelease('origin', 'new');
    commitAs('origin', 'v2.0.0');
  });

  test('fetches the release, installs and builds it beside the running one, and goes back', () => {
    const { status, tools, calls, stderr } = upgrade('v2.0.0');
    expect([stderr, status, tools, running()]).toEqual(['', 0, ['doctor of new', 'backup of old'], 'new']);
    expect(calls).toMatch(/^node scripts\/ensure-install\.mjs in kasente\.next of new$/m);
    expect(calls).toMatch(/^node scripts\/ensure-build\.mjs in kasente\.next of new$/m);
    expect(calls).toMatch(/tool scripts\/backup\.ts \S+\/backups\/before-v2\.0\.0-/);
    expect([upgrade('--back').status, running()]).toEqual([0, 'old']);
  });

  test('leaves everything as it is if there is no such tag', () => {
    expect(upgrade('v3.0.0')).toMatchObject({ status: 1, tools: [] });
    expect(running()).toBe('old');
  });

  test('takes the next tag on a server that a tag has upgraded, and is refused on one that took a tarball', () => {
    upgrade('v2.0.0');
    writeRelease('origin', 'newest');
    commitAs('origin', 'v3.0.0');
    expect([upgrade('v3.0.0').status, running()]).toEqual([0, 'newest']);
    upgrade(tarball());
    expect(upgrade('v3.0.0')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('name the path of a tarball'),
    });
    expect(running()).toBe('new');
  });
});

test('refuses to go back where there is nothing', () => {
  expect(upgrade('--back')).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no release before') });
});
