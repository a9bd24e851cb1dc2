import { columnTypes, importedFrom, viewTypes } from './column-types.harness.ts';
import type { SchemaParts } from './schema.ts';
import { notes } from './table-notes.harness.ts';

/** Writes server/db/tables/tables.ts: Kysely's types of the tables, from the schema and the files beside this one. */

const TYPES: Readonly<Record<string, string>> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  'character varying(255)': 'string',
  date: 'string',
  integer: 'number',
  jsonb: 'unknown',
  'numeric(15,2)': 'Money',
  text: 'string',
  'timestamp with time zone': 'Date',
  uuid: 'string',
};

const COLUMN =
  /^(?<generated>generated )?(?<type>[a-z]+(?: varying\(255\)| with time zone|\(15,2\))?)(?<list>\[\])?(?<required> not null)?(?: identity(?: always)?)?(?: storage \w)?(?<rest>.*)$/;

/** The text of tables.ts. Throws for a column of a type that it doesn't know, and for an override of no column. */
export function writeTables(schema: SchemaParts): string {
  const names = Object.keys(schema).flatMap((part) => /^table (\w+)$/.exec(part)?.[1] ?? []);
  const stray = [...Object.keys(columnTypes), ...Object.keys(notes)].filter(
    (name) => !Object.hasOwn(schema, `${name.includes('.') ? 'column' : 'table'} ${name}`),
  );
  if (stray.length > 0) throw new Error(`no such column or table: ${stray.join(', ')}`);
  const tables = names.filter((name) => !Object.hasOwn(viewTypes, name));
  const interfaces = tables.map((name) => writeTable(schema, name)).join('\n');
  const list = names
    .map((name) => `${noteOf(name, '  ')}  ${name}: ${viewTypes[name] ?? pascalCase(name)};\n`)
    .join('');
  return `${writeImports()}${HEAD}\n${interfaces}\nexport interface Tables {\n${list}}\n`;
}

const HEAD = `
/**
 * The database's tables for TypeScript, written by \`npx vitest run server/migrations/schema.test.ts -u\`: change the
 * migrations and server/migrations/column-types.harness.ts, not this file. Money columns are NUMERIC(15,2): read as minor
 * units (number), written as \`minorToNumeric\` text. DATE is YYYY-MM-DD text.
 */

type Money = ColumnType<number, string, string>;
type MoneyOrNull = ColumnType<number | null, string | null, string | null>;
type MoneyWithDefault = ColumnType<number, string | undefined, string>;
`;

function writeImports(): string {
  const lines = Object.entries(importedFrom).map(([file, types]) => `import type { ${types} } from '${file}';\n`);
  return `import type { ColumnType, Generated, GeneratedAlways } from 'kysely';\n${lines.join('')}`;
}

function writeTable(schema: SchemaParts, table: string): string {
  const start = `column ${table}.`;
  const columns = Object.entries(schema).filter(([part]) => part.startsWith(start));
  const lines = columns.map(([part, definition]) => {
    const name = part.slice(start.length);
    return `${noteOf(`${table}.${name}`, '  ')}  ${name}: ${columnTypes[`${table}.${name}`] ?? typeOf(part, definition)};\n`;
  });
  return `export interface ${pascalCase(table)} {\n${lines.join('')}}\n`;
}

function typeOf(part: string, definition: string): string {
  const { generated, type = '', list, required, rest } = COLUMN.exec(definition)?.groups ?? {};
  const known = TYPES[type];
  if (known === undefined) throw new Error(`no TypeScript type for ${part} (${definition})`);
  const isFilled = rest !== '' || definition.includes(' identity');
  if (known === 'Money') return required === undefined ? 'MoneyOrNull' : isFilled ? 'MoneyWithDefault' : 'Money';
  const value = `${known}${list ?? ''}${required === undefined && known !== 'unknown' ? ' | null' : ''}`;
  if (generated !== undefined) return `GeneratedAlways<${value}>`;
  return isFilled ? `Generated<${value}>` : value;
}

function noteOf(name: string, indent: string): string {
  const note = notes[name];
  return note === undefined ? '' : `${indent}/** ${note} */\n`;
}

function pascalCase(table: string): string {
  return table.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
