import { parseSync, Visitor } from 'vite';
import type { Source } from './sources.ts';

/** The fields of a package.json about imports. */
export interface Manifest {
  readonly exports?: unknown;
}

/** Documented imports that a package.json does not declare. */
const DOCUMENTED: ReadonlySet<string> = new Set(['ajv/dist/2020.js']);

/** Internal paths of a package, even if its package.json exports them. */
const INSIDES = /\/(?:dist|lib|src|esm|cjs|build|internal)\//;

/** Undocumented members, which another release may lack, by the name of their object. */
const UNDOCUMENTED: readonly (readonly [library: string, of: RegExp, member: RegExp])[] = [
  ['some library', /./, /^_[a-z]/i],
  ['pg', /client$/i, /^(?:host|port|connection|activeQuery|queryQueue|readyForQuery|processID|secretKey|hasExecuted)$/],
  ['pg', /pool$/i, /^(?:newClient|log|Client|options)$/],
  ['pg', /^pg$/, /^(?:Query|Connection|Result)$/],
  ['Node', /^process$/, /^binding$/],
];

/** A file's uses of undocumented members. */
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

/** The last name of an expression: `client` for `client` and `this.client`; the text of a string. */
function nameOf({ type, name, value, property }: Named): string {
  if (type === 'MemberExpression' && property !== undefined) return nameOf(property);
  if (type === 'Identifier' || type === 'PrivateIdentifier') return String(name);
  return type === 'Literal' && typeof value === 'string' ? value : '?';
}

/** A file's imports of unexported package files. */
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
