import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstProcess, type Ran, ran } from '#proof/deploy/namespaces.harness.ts';
import { onceAtFileEnd } from '#testing/file-end.ts';
import { until } from '#testing/until.ts';

/**
 * This machine's disk with an overlay: everything that a program writes there goes into a folder that is removed
 * afterwards. It has its own processes, and shares the kernel and the network.
 */

const BOOT = `
set -eu
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cd "$1/root"
mount -t proc proc proc
mount --rbind /dev dev
mount --rbind /sys sys
exec chroot . sh -c 'mount -t tmpfs tmpfs /run && touch /run/booted && sleep infinity & wait'
`;

export interface CopiedMachine {
  /** Runs shell lines as root, stopping at the first failure, without this machine's environment. */
  run(lines: string, input?: string): Promise<Ran>;
  /** Where this machine finds a path of the copy. */
  pathOf(path: string): string;
}

/** Why this machine cannot be copied; undefined if it can. */
export function notCopiedBecause(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  const folder = mkdtempSync(join(tmpdir(), 'kasente-overlay-'));
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(folder, name));
  const options = `lowerdir=/,upperdir=${folder}/upper,workdir=${folder}/work`;
  const tried = spawnSync('unshare', ['--mount', 'mount', '-t', 'overlay', 'overlay', '-o', options, `${folder}/root`]);
  rmSync(folder, { recursive: true });
  return tried.status === 0 ? undefined : 'an overlay of its disk cannot be mounted';
}

/** Copies this machine; the copy runs until the file's tests end. */
export async function copyThisMachine(): Promise<CopiedMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-machine-'));
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(folder, name));
  for (const name of ['', 'upper']) chmodSync(join(folder, name), 0o755); // `upper` becomes `/`
  const machine = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', BOOT, 'sh', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  onceAtFileEnd(async () => {
    await end(machine);
    rmSync(folder, { recursive: true, force: true });
  });
  const path = (process.env.PATH ?? '').split(':').filter((place) => !place.includes('node_modules'));
  const authority = process.env.NODE_EXTRA_CA_CERTS;
  const env = [
    '-i',
    `PATH=/usr/local/sbin:${path.join(':')}:/usr/sbin:/sbin`,
    'HOME=/root',
    'npm_config_prefer_offline=true',
  ];
  if (authority !== undefined) env.push(`NODE_EXTRA_CA_CERTS=${authority}`);
  const run: CopiedMachine['run'] = (lines, input) =>
    ran(
      'nsenter',
      ['-t', firstProcess(machine), '-m', '-p', '-r', '-w', 'env', ...env, 'sh', '-euc', `cd\n${lines}`],
      input,
    );
  await until(
    async () => existsSync(`/proc/${machine.pid}/task/${machine.pid}/children`) && firstProcess(machine) !== '',
  );
  await until(async () => (await run('test -e /run/booted')).code === 0);
  return { run, pathOf: (name) => `/proc/${firstProcess(machine)}/root${name}` };
}

async function end(machine: ChildProcess): Promise<void> {
  const ended = once(machine, 'exit');
  machine.kill('SIGKILL'); // process 1 of its namespace ends with it
  await ended;
}
