import { parseSync, Visitor } from 'vite';
import type { Source } from './sources.ts';

/** The part of a package.json that is about imports. */
export interface Manifest {
  readonly exports?: unknown;
}

/** A file of a package that its documentation tells to import, though its package.json does not say so. */
const DOCUMENTED: ReadonlySet<string> = new Set(['ajv/dist/2020.js']);

/** A package's insides, whatever its package.json lets through. */
const INSIDES = /\/(?:dist|lib|src|esm|cjs|build|internal)\//;

/** Members that are there and that their library documents nowhere, by the name of what has them. Another release may lack them. */
const UNDOCUMENTED: readonly (readonly [library: string, of: RegExp, member: RegExp])[] = [
  ['some library', /./, /^_[a-z]/i],
  ['pg', /client$/i, /^(?:host|port|connection|activeQuery|queryQueue|readyForQuery|processID|secretKey|hasExecuted)$/],
  ['pg', /pool$/i, /^(?:newClient|log|Client|options)$/],
  ['pg', /^pg$/, /^(?:Query|Connection|Result)$/],
  ['Node', /^process$/, /^binding$/],
];

/** The undocumented members of libraries that a file reads or replaces. */
export function undocumentedMembers({ path, text }: Source): readonly string[] {
  const found: string[] = [];
  const judge = (of: string, member: string): void => {
    const rule = UNDOCUMENTED.find(([, owner, name]) => owner.test(of) && name.test(member));
    if (rule !== undefined) found.push(`${path}: ${of}.${member} (${rule[0]})`);
  };
  new Visitor({
    MemberExpression: ({ object, property }) => judge(nameOf(object), nameOf(property)),
    // Reflect.get(client, 'connection')
    CallExpression: ({ callee, arguments: [target, name] }) => {
      const isReflection = callee.type === 'MemberExpression' && nameOf(callee.object) === 'Reflect';
      if (isReflection && target !== undefined && name !== undefined) judge(nameOf(target), nameOf(name));
    },
  }).visit(parseSync(path, text).program);
  return found;
}

interface Named {
  readonly type: string;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly property?: Named;
}

/** The last name of an expression: `client` of `client` and of `this.client`, 'connection' of a text that says so. */
function nameOf({ type, name, value, property }: Named): string {
  if (type === 'MemberExpression' && property !== undefined) return nameOf(property);
  if (type === 'Identifier' || type === 'PrivateIdentifier') return String(name);
  return type === 'Literal' && typeof value === 'string' ? value : '?';
}

/** A file's imports of packages that are not exported entries. */
export function undocumentedEntries(
  { path, text }: Source,
  manifestOf: (name: string) => Manifest | undefined,
): readonly string[] {
  return parseSync(path, text)
    .module.staticImports.map(({ moduleRequest }) => moduleRequest.value)
    .filter((entry) => /^[@a-z]/.test(entry) && !entry.startsWith('node:') && !DOCUMENTED.has(entry))
    .filter((entry) => !isExported(entry, manifestOf))
    .map((entry) => `${path}: ${entry}`);
}

function isExported(entry: string, manifestOf: (name: string) => Manifest | undefined): boolean {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(entry)?.[0] ?? entry;
  const manifest = manifestOf(name);
  if (manifest === undefined) return false;
  const subpath = `.${entry.slice(name.length)}`;
  const exported = typeof manifest.exports === 'object' && manifest.exports !== null ? manifest.exports : {};
  return subpath === '.' || Object.hasOwn(exported, subpath) || !INSIDES.test(entry);
}
