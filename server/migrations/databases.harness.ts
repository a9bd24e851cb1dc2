import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '#server/db/database.ts';

/** Databases on the run's cluster, for tests of migrations. */

/** Creates an empty database; returns its name. */
export async function makeEmptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name}`);
  return name;
}

export async function dropDatabase(name: string): Promise<void> {
  await administer(`drop database ${name} with (force)`);
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

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ ...inject('cluster'), database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
