import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaced } from '#proof/deploy/replaced.ts';
import { onceAtFileEnd } from '#testing/file-end.ts';
import { freePort } from '#testing/free-port.ts';
import { testCertificate } from '#testing/servers/test-certificate.ts';
import { until } from '#testing/until.ts';

/** Debian's nginx and HAProxy with the files of deploy/, in front of local servers. */

const deploy = join(import.meta.dirname, '../../deploy');

/** A proxy that runs until the file's tests end. */
export interface RealProxy {
  /** Its own version text, such as 'nginx/1.22.1'. */
  readonly version: string;
  /** Its TLS port, with the tests' certificate. */
  readonly port: number;
  readonly plainPort: number;
  /** Its log so far. */
  log(): Promise<string>;
}

export type ProxyKind = 'nginx' | 'haproxy';

/** Starts a proxy with its file from deploy/; only ports, paths and the two servers are replaced. */
export async function startRealProxy(kind: ProxyKind, servers: readonly number[]): Promise<RealProxy> {
  const folder = await mkdtemp(join(tmpdir(), `kasente-${kind}-`));
  const ports = { port: await freePort(), plainPort: await freePort() };
  const { args, env } = await prepare[kind](folder, servers, ports);
  const child = spawn(kind, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  onceAtFileEnd(() => end(child, folder));
  await started(child, ports.port, () => Buffer.concat(output).toString());
  return {
    ...ports,
    version: versionOf(kind),
    log: async () => {
      const files = ['access.log', 'error.log'].map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
      return [Buffer.concat(output).toString(), ...(await Promise.all(files))].join('');
    },
  };
}

interface Prepared {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
type Ports = Pick<RealProxy, 'port' | 'plainPort'>;

const prepare: Record<ProxyKind, (folder: string, servers: readonly number[], ports: Ports) => Promise<Prepared>> = {
  nginx: async (folder, [one, two], { port, plainPort }) => {
    const site = replaced(await readFile(join(deploy, 'nginx.conf'), 'utf8'), {
      '127.0.0.1:3000': `127.0.0.1:${one}`,
      '127.0.0.1:3001': `127.0.0.1:${two}`,
      'listen 80;': `listen 127.0.0.1:${plainPort};`,
      'listen [::]:80;': '',
      'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
      'listen [::]:443 ssl http2;': '',
      '/etc/ssl/kasente/fullchain.pem': join(folder, 'chain.pem'),
      '/etc/ssl/kasente/key.pem': join(folder, 'key.pem'),
      '/var/log/nginx/kasente.log': join(folder, 'access.log'),
      '/var/log/nginx/kasente-error.log': join(folder, 'error.log'),
    });
    await writeFile(join(folder, 'chain.pem'), testCertificate.cert);
    await writeFile(join(folder, 'key.pem'), testCertificate.key);
    await writeFile(join(folder, 'kasente.conf'), site);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    await Promise.all(paths.map((name) => mkdir(join(folder, name))));
    const main = [
      'worker_processes 2;',
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `pid ${folder}/nginx.pid;`,
      'events { worker_connections 4096; }',
      'http {',
      ...paths.map((name) => `${name}_temp_path ${folder}/${name};`),
      `include ${folder}/kasente.conf;`,
      '}',
    ];
    await writeFile(join(folder, 'nginx.conf'), main.join('\n'));
    return { args: ['-g', 'daemon off;', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], env: {} };
  },
  haproxy: async (folder, [one, two], { port, plainPort }) => {
    await writeFile(join(folder, 'both.pem'), `${testCertificate.cert}${testCertificate.key}`);
    const env = {
      KASENTE_HTTP: `127.0.0.1:${plainPort}`,
      KASENTE_HTTPS: `127.0.0.1:${port}`,
      KASENTE_CERTIFICATE: join(folder, 'both.pem'),
      KASENTE_ONE: `127.0.0.1:${one}`,
      KASENTE_TWO: `127.0.0.1:${two}`,
      KASENTE_LOG: 'stdout',
    };
    return { args: ['-db', '-f', join(deploy, 'haproxy.cfg')], env };
  },
};

function versionOf(kind: ProxyKind): string {
  const { stdout, stderr } = spawnSync(kind, ['-v'], { encoding: 'utf8' });
  return /nginx\/[\d.]+|HAProxy version [\d.]+/.exec(`${stdout}${stderr}`)?.[0] ?? kind;
}

async function started(child: ChildProcess, port: number, output: () => string): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error('it is not installed: apt-get install nginx haproxy')));
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${output()}`)));
  });
  await Promise.race([failed, until(() => listens(port))]);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}
