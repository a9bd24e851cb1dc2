import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { childEnvironment } from '#testing/child-environment.ts';
import { testCertificate } from '#testing/servers/test-certificate.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-env-file-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Reads a settings file in a process, then runs this code there. Returns its output, or the refusal. */
async function readIn(settings: string, code = '', env: Record<string, string> = {}): Promise<string> {
  const file = join(folder, 'kasente.env');
  await writeFile(file, settings);
  const script = join(folder, 'read.mjs');
  const module = join(import.meta.dirname, 'env-file.ts');
  await writeFile(
    script,
    `import { readEnvFile } from ${JSON.stringify(module)};
     try { readEnvFile(['--env-file', ${JSON.stringify(file)}]); ${code} } catch (error) { console.log(error.message); }`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env: childEnvironment(env) });
  return stdout.trim();
}

describe('NODE_EXTRA_CA_CERTS in a settings file', () => {
  it('is trusted by every connection of the process', async () => {
    const server = createServer(testCertificate, (_, response) => response.end('trusted')).listen(0);
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const call = `console.log(await fetch('https://localhost:${port}').then((reply) => reply.text(), (error) => error.cause.code));`;
    const authorities = join(folder, 'ca.pem');
    await writeFile(authorities, testCertificate.cert);
    expect(await readIn('', call)).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/);
    expect(await readIn(`NODE_EXTRA_CA_CERTS=${authorities}`, call)).toBe('trusted');
  });

  it('is refused if it can’t be read, or has no certificate', async () => {
    const sentence = /^NODE_EXTRA_CA_CERTS must be a file of certificates that this user may read \(.+\)\.$/;
    expect(await readIn('NODE_EXTRA_CA_CERTS=/absent.pem')).toMatch(sentence);
    await writeFile(join(folder, 'ca.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----');
    expect(await readIn(`NODE_EXTRA_CA_CERTS=${folder}/ca.pem`)).toMatch(sentence);
    expect(await readIn(`NODE_EXTRA_CA_CERTS=${folder}/kasente.env`)).toMatch(sentence);
  });
});

describe('a setting that Node reads before any file', () => {
  it.each(['NODE_OPTIONS=--max-old-space-size=900', 'NODE_USE_SYSTEM_CA=1', 'NODE_USE_ENV_PROXY=1'])(
    'is refused in a settings file, and accepted in the environment: %s',
    async (line) => {
      const [name = '', ...value] = line.split('=');
      expect(await readIn(line)).toBe(
        `${name} has no effect in ${folder}/kasente.env: Node reads it when it starts. Set it in the environment instead.`,
      );
      expect(await readIn(line, '', { [name]: value.join('=') })).toBe('');
      expect(await readIn(`${name}=`)).toBe('');
    },
  );
});
