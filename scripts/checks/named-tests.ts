import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads tables of docs/ that name files and tests, and checks that those exist. */

const root = join(import.meta.dirname, '../..');

/** A file's text; undefined if it does not exist. */
export type Read = (path: string) => string | undefined;

/** A table row, by column heading. */
export type Row = ReadonlyMap<string, string>;

/** A reference: 'path' or 'path › part of a title'. */
export interface Named {
  readonly path: string;
  readonly title: string | undefined;
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Every row of every table of a page. */
export function rowsOf(page: string): Row[] {
  const rows: Row[] = [];
  let columns: readonly string[] = [];
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) columns = [];
    else if (columns.length === 0) columns = cellsOf(line);
    else if (!line.startsWith('|--')) rows.push(new Map(cellsOf(line).map((cell, at) => [columns[at] ?? '', cell])));
  }
  return rows;
}

/** The files and tests that a cell names in backquotes. */
export function namedIn(cell: string): Named[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => {
    const [path = '', title] = (match[1] ?? '').split(' › ');
    return { path, title };
  });
}

/** Titles of tests and groups, including those of `each`. */
function titlesOf(source: string): string[] {
  const titles = source.matchAll(
    /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\s*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/gs,
  );
  return [...titles].map((match) => match[2] ?? '');
}

/** References to missing files and tests. */
export function gapsOfNamed({ path, title }: Named, read: Read): string[] {
  const text = read(path);
  if (text === undefined) return [`${path}: there is no such file`];
  if (title === undefined || titlesOf(text).some((known) => known.includes(title))) return [];
  return [`${path}: there is no test '${title}'`];
}

/** Reads the project's files with a cache. */
export function readerOfFiles(): Read {
  const texts = new Map<string, string | undefined>();
  return (path) => {
    const file = join(root, path);
    if (!texts.has(path)) texts.set(path, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
    return texts.get(path);
  };
}
