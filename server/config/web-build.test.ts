import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { childEnvironment } from '#testing/child-environment.ts';
import { installedCopy } from '#testing/servers/installed-copy.ts';
import { hashOfSources, webBuildState } from './web-build.mjs';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kasente.example',
  SECRET_KEY: 's'.repeat(32),
  DATABASE_URL: 'postgres://kasente:s3cret@127.0.0.1:1/kasente',
};

let folder: string;

/** A checkout whose web application was built from its sources. */
beforeEach(async () => {
  folder = installedCopy();
  await mkdir(join(folder, 'web'));
  await writeFile(join(folder, 'web/main.tsx'), 'first();');
  await writeFile(join(folder, 'dist/web.stamp'), await hashOfSources(folder));
});

async function start(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['server/main.mjs'], {
    cwd: folder,
    env: childEnvironment({ ...env, DATA_DIR: join(folder, 'data') }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return `${out}${err}`;
}

describe('a start in production', () => {
  it('refuses a web application built from other sources, before it connects to the database', async () => {
    expect(await start(PRODUCTION)).toContain('127.0.0.1:1/kasente cannot be used');
    await writeFile(join(folder, 'web/main.tsx'), 'second();');
    const refused = await start(PRODUCTION);
    expect(JSON.parse(refused).msg).toBe(
      `Kasente did not start: the web application in ${folder}/dist/web was built from other sources than these. Run npm run build in ${folder}, then start again.`,
    );
    expect(await start({ ...PRODUCTION, NODE_ENV: 'development', PUBLIC_URL: '' })).toContain('cannot be used');
  });

  it.each(['dist', 'dist/web', 'dist/web/index.html'])('refuses a missing web application: %s', async (path) => {
    await rm(join(folder, path), { recursive: true });
    expect(JSON.parse(await start(PRODUCTION)).msg).toBe(
      `Kasente did not start: the web application is not built: there is no ${folder}/dist/web/index.html. Run npm run build in ${folder}, then start again.`,
    );
  });
});

describe('a build', () => {
  it('is stale after a change of its sources, a removed stamp or other packages, but not after other changes', async () => {
    const stateAfter = async (path: string, content: string) => {
      await writeFile(join(folder, path), content);
      return webBuildState(folder);
    };
    expect(await webBuildState(folder)).toBe('current');
    expect(await stateAfter('server/app.ts', '')).toBe('current');
    expect(await stateAfter('web/main.test.tsx', '')).toBe('current');
    expect(await stateAfter('contract/money.ts', '')).toBe('stale');
    await writeFile(join(folder, 'dist/web.stamp'), await hashOfSources(folder));
    expect(await stateAfter('package-lock.json', '{}')).toBe('stale');
    await rm(join(folder, 'dist/web.stamp'));
    expect(await webBuildState(folder)).toBe('stale');
  });

  it('is not compared in a container image, which has no sources', async () => {
    await rm(join(folder, 'web'), { recursive: true });
    await rm(join(folder, 'dist/web.stamp'));
    expect(await webBuildState(folder)).toBe('current');
    await rm(join(folder, 'dist'), { recursive: true });
    expect(await webBuildState(folder)).toBe('missing');
  });
});
