import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Manifest, undocumentedEntries, undocumentedMembers } from './libraries.ts';
import { root, sources } from './sources.ts';

/** Kasente uses only documented parts of libraries, so that new releases don't break it. */

function manifestOf(name: string): Manifest | undefined {
  const path = join(root, 'node_modules', name, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

describe('members of libraries', () => {
  it('are documented', () => {
    expect(sources.flatMap(undocumentedMembers)).toEqual([]);
  });

  it.each([
    ['client.connection.stream.destroy()', 'client.connection (pg)'],
    ['this.#client.activeQuery', 'client.activeQuery (pg)'],
    ["Reflect.get(connection, '_socket')", 'connection._socket (some library)'],
    ["pool['_clients'].length", 'pool._clients (some library)'],
    ['this.#pool.options.max = 1', 'pool.options (pg)'],
    ['client.host', 'client.host (pg)'],
    ['class Lane extends pg.Query {}', 'pg.Query (pg)'],
    ['pg.Query.prototype.submit = () => undefined', 'pg.Query (pg)'],
    ["process.binding('fs')", 'process.binding (Node)'],
  ])('would be refused otherwise: %s', (code, found) => {
    expect(undocumentedMembers({ path: 'a.ts', text: `class A { #client; f() { ${code}; } }` })).toEqual([
      `a.ts: ${found}`,
    ]);
  });

  it('are searched in code, not in texts and comments', () => {
    const text =
      "// client.connection\nconst said = ['_kato', 'client.connection']; headers.connection; postgres.connection;";
    expect(undocumentedMembers({ path: 'a.ts', text })).toEqual([]);
  });
});

describe('imports of libraries', () => {
  it('are of exported entries', () => {
    expect(sources.flatMap((source) => undocumentedEntries(source, manifestOf))).toEqual([]);
  });

  it.each([
    'pg/lib/query.js',
    'kysely/dist/dialect/postgres/postgres-driver.js',
    'fastify/lib/reply.js',
    'a-package-that-is-not-installed',
  ])('would be refused otherwise: %s', (entry) => {
    const text = `import a from '${entry}'; import { sql } from 'kysely'; import b from 'kysely/migration';`;
    expect(undocumentedEntries({ path: 'a.ts', text }, manifestOf)).toEqual([`a.ts: ${entry}`]);
  });
});
