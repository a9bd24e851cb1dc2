import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '#server/db/database.ts';
import { checkOut, git } from '#testing/evidence/history.ts';

/** Databases as earlier commits created them. */

export interface EarlierSchema {
  /** The first commit that had these migrations, in full: how long git's short names are differs with the clone. */
  readonly commit: string;
  /** Their names, in order. */
  readonly migrations: readonly string[];
  /** None of them was edited since: a database of this one is as any later one was when it had come so far. */
  readonly isAsToday: boolean;
}

/** Every distinct set of migrations of a commit up to this one, oldest first. */
export function earlierSchemas(): EarlierSchema[] {
  // Including merges: each parent may add files.
  const commits = git('log', '--format=%H', '--reverse', '--full-history', '-m', 'HEAD', '--', 'server/migrations');
  const today = new Set(filesOf('HEAD'));
  const found = new Map<string, EarlierSchema>();
  for (const commit of new Set(commits.split('\n'))) {
    const files = filesOf(commit);
    const migrations = files.map((line) => /(\d{4}-[a-z-]+)\.ts$/.exec(line)?.[1] ?? '');
    const isAsToday = files.every((file) => today.has(file));
    if (files.length > 0 && !found.has(files.join())) found.set(files.join(), { commit, migrations, isAsToday });
  }
  return [...found.values()];
}

/** A commit's migrations, each with the hash of its text. */
function filesOf(commit: string): string[] {
  const lines = git('ls-tree', commit, 'server/migrations/').split('\n');
  return lines.filter((line) => /\/\d{4}-[a-z-]+\.ts$/.test(line));
}

/** Creates a database on the run's cluster as each of those commits did, with some rows; returns their names by commit. */
export async function makeEarlierDatabases(commits: readonly string[]): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-earlier-'));
  const names = new Map(commits.map((commit) => [commit, `earlier_${randomBytes(8).toString('hex')}`]));
  try {
    const places: string[] = [];
    for (const [commit, name] of names) {
      checkOut(commit, join(folder, commit), 'server/migrations', 'package.json');
      places.push(join(folder, commit, 'server/migrations'), name);
    }
    await administer((client) => eachOf(names.values(), (name) => client.query(`create database ${name}`)));
    const program = join(import.meta.dirname, 'earlier-databases.child.ts');
    await promisify(execFile)(process.execPath, [program, JSON.stringify(inject('cluster')), ...places]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return names;
}

/** An empty database on the run's cluster; its name. */
export async function makeEmptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await administer(async (client) => void (await client.query(`create database ${name}`)));
  return name;
}

/** Removes databases again. */
export function dropDatabases(names: Iterable<string>): Promise<void> {
  return administer((client) => eachOf(names, (name) => client.query(`drop database ${name} with (force)`)));
}

/** Connects to a database as the owner of its tables. */
export async function onDatabase<Result>(name: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const opened = openDatabase({ ...inject('cluster'), database: name }, () => undefined);
  try {
    return await work(opened.db);
  } finally {
    await opened.close();
  }
}

async function administer(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...inject('cluster'), database: 'postgres' });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function eachOf(names: Iterable<string>, work: (name: string) => Promise<unknown>): Promise<void> {
  for (const name of names) await work(name);
}
