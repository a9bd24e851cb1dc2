import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onceAtFileEnd } from '#testing/file-end.ts';
import { until } from '#testing/until.ts';
import { firstProcess, type Ran, ran } from './namespaces.harness.ts';

/**
 * A clean Debian 13 made by debootstrap, with systemd as process 1 in its own namespaces. It shares this machine's
 * kernel and network, and has its own disk, processes and users.
 */

const root = join(import.meta.dirname, '../..');
const MIRROR = 'http://deb.debian.org/debian';
/** The packages with which a cloud provider's machine boots. */
const BOOTS = 'ca-certificates,systemd,systemd-sysv,dbus';
/** This machine's own certificate authority, if it reaches the registry through one. */
const authority = process.env.NODE_EXTRA_CA_CERTS;
const AUTHORITY_THERE = '/usr/local/share/authority.pem';

/** A machine that runs until the file's tests end. */
export interface Debian {
  /** Runs a program in it, as root, without this machine's environment. */
  run(command: readonly string[], input?: string): Promise<Ran>;
  /** Cuts the machine's power and boots it again. */
  boot(): Promise<void>;
}

/** Why a Debian cannot be made here; undefined if it can. */
export function noDebianBecause(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  const missing = ['debootstrap', 'unshare', 'nsenter'].filter((name) => spawnSync('which', [name]).status !== 0);
  return missing.length === 0
    ? undefined
    : `${missing.join(' and ')} not installed: apt-get install debootstrap util-linux`;
}

/** Makes and boots a Debian, with this checkout's HEAD in /srv/kasente. */
export async function createDebian(): Promise<Debian> {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-debian-'));
  let machine: ChildProcess | undefined;
  const end = async (): Promise<void> => {
    if (machine === undefined) return;
    const ended = once(machine, 'exit');
    machine.kill('SIGKILL'); // process 1 of the namespaces ends with unshare
    await ended;
    machine = undefined;
  };
  onceAtFileEnd(async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  });
  await must('debootstrap', '--variant=minbase', `--include=${BOOTS}`, 'trixie', folder, MIRROR);
  await must(
    'sh',
    '-c',
    `mkdir -p "$1/srv/kasente" && git -C "$2" archive HEAD | tar -x -C "$1/srv/kasente"`,
    'sh',
    folder,
    root,
  );
  chmodSync(folder, 0o755); // the folder becomes `/`, which every user must be able to enter
  copyFileSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'));
  if (authority !== undefined) copyFileSync(authority, join(folder, AUTHORITY_THERE));

  const run: Debian['run'] = (command, input = '') => {
    const first = firstProcess(machine);
    const entered = ['-t', first, '-m', '-p', '-u', '-i', '-C', '-r', '-w', 'env', '-i'];
    const env = [
      'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
      'HOME=/root',
      ...(authority ? [`NODE_EXTRA_CA_CERTS=${AUTHORITY_THERE}`] : []),
    ];
    return ran('nsenter', [...entered, ...env, ...command], input);
  };
  const boot = async (): Promise<void> => {
    await end();
    const namespaces = ['--mount', '--pid', '--fork', '--uts', '--ipc', '--cgroup', '--kill-child'];
    machine = spawn('unshare', [...namespaces, 'sh', join(root, 'proof/deploy/boot-debian.sh'), folder], {
      stdio: 'ignore',
    });
    await until(
      async () => existsSync(`/proc/${machine?.pid}/task/${machine?.pid}/children`) && firstProcess(machine) !== '',
    );
    await until(async () => /running|degraded/.test((await run(['systemctl', 'is-system-running'])).output));
  };
  await boot();
  return { run, boot };
}

async function must(program: string, ...args: readonly string[]): Promise<void> {
  const { code, output } = await ran(program, args);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output.slice(-2000)}`);
}
