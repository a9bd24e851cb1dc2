import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { rounds } from '#testing/evidence/record.ts';
import { until } from '#testing/until.ts';
import {
  type ChildServer,
  type Message,
  postmasterOf,
  processesIn,
  startChild,
  startHere,
  temporaryFolder,
} from './launcher.harness.ts';

const KILLS = rounds(10, 50);

function acknowledgedBy(server: ChildServer): readonly number[] {
  return server.messages.flatMap((message) => message.acknowledged ?? []);
}

function lostFrom(acknowledged: ReadonlySet<number>, { kept }: Message): readonly number[] {
  const found = new Set(kept);
  return [...acknowledged].filter((id) => !found.has(id));
}

async function untilNothingRunsIn(cluster: string): Promise<void> {
  await until(async () => (await processesIn(cluster)).length === 0);
}

test(`${KILLS} kills of the server leave no PostgreSQL behind and lose no acknowledged row`, {
  timeout: 180_000,
}, async () => {
  const folder = await temporaryFolder();
  const cluster = join(folder, 'data/postgres');
  const acknowledged = new Set<number>();
  const socketFolders: string[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const server = startChild(folder, 'insert');
    const started = await server.until('ready');
    expect(started.owner).toBe(true);
    expect(lostFrom(acknowledged, started)).toEqual([]);
    socketFolders.push(started.socketFolder ?? '');
    await server.until('acknowledged', ((kill * 7) % 23) + 1);
    // Every fifth time PostgreSQL is killed as well, as when a container ends or the power fails.
    if (kill % 5 === 0) process.kill(await postmasterOf(cluster), 'SIGKILL');
    await server.kill();
    for (const id of acknowledgedBy(server)) acknowledged.add(id);
    // Every other time the next server starts while the old PostgreSQL is still stopping.
    if (kill % 2 === 0) await untilNothingRunsIn(cluster);
  }
  expect(lostFrom(acknowledged, await startChild(folder, 'hold').until('ready'))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(KILLS);
  await expect.poll(() => socketFolders.filter((each) => existsSync(each)), { interval: 5 }).toEqual([]);
});

test('a kill during the very first start leaves nothing that looks like a database', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const server = startChild(folder, 'hold');
  const unfinished = async () => (await readdir(data).catch(() => [])).filter((name) => name.endsWith('.unfinished'));
  const [name] = await vi.waitUntil(
    async () => {
      const names = await unfinished();
      return existsSync(join(data, names[0] ?? '', 'global')) && names.length > 0 ? names : undefined;
    },
    { timeout: 100_000, interval: 1 },
  );
  await server.kill();
  expect(existsSync(join(data, 'postgres'))).toBe(false);
  await until(async () => (await processesIn(join(data, name ?? '')).catch(() => [])).length === 0);

  const postgres = await startHere(folder);
  expect(postgres.owner).toBe(true);
  expect(await unfinished()).toEqual([]);
});
