import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Libraries of many small modules with one index, and the path of the index in the package. */
const indexes = {
  '@mantine/core': 'esm/index.mjs',
  '@mantine/hooks': 'esm/index.mjs',
  '@tabler/icons-react': 'dist/esm/tabler-icons-react.mjs',
} as const;
type Library = keyof typeof indexes;

/** An index export's module and name. */
interface Origin {
  readonly name: string;
  readonly source: string;
}

const IMPORT = /import\s*\{([^{}]*)\}\s*from\s*["'](@mantine\/core|@mantine\/hooks|@tabler\/icons-react)["'];?/g;

/**
 * Replaces imports from a library's index by imports from its modules, so that the module graph shows what each screen needs,
 * for scripts/build/chunks.ts.
 */
export function directImports(): Plugin {
  const known = new Map<Library, Promise<ReadonlyMap<string, Origin>>>();
  const originsOf = (library: Library) => {
    const found = known.get(library) ?? readIndex(library);
    known.set(library, found);
    return found;
  };
  return {
    name: 'direct-imports',
    apply: 'build',
    transform: {
      filter: { id: /\/web\/|\/@mantine\//, code: /@mantine\/(core|hooks)|@tabler\/icons-react/ },
      handler: async (code) => {
        const origins = new Map<string, ReadonlyMap<string, Origin>>();
        for (const [, , library] of code.matchAll(IMPORT))
          if (isLibrary(library)) origins.set(library, await originsOf(library));
        const rewritten = code.replace(IMPORT, (_, names: string, library: string) =>
          bindingsOf(names)
            .map(([name, local]) => importOf(local, origins.get(library)?.get(name), `${name} of ${library}`))
            .join(''),
        );
        return { code: rewritten, map: null };
      },
    },
  };
}

function isLibrary(name: string | undefined): name is Library {
  return name !== undefined && name in indexes;
}

function importOf(local: string, origin: Origin | undefined, what: string): string {
  if (origin === undefined) throw new Error(`the index has no ${what}`);
  const { name, source } = origin;
  return name === '*'
    ? `import * as ${local} from ${JSON.stringify(source)};`
    : `import { ${name} as ${local} } from ${JSON.stringify(source)};`;
}

/** The names of `a, b as c`, with their local names. */
function bindingsOf(list: string): (readonly [name: string, local: string])[] {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', local = name] = each.split(/\s+as\s+/);
      return [name, local] as const;
    });
}

async function readIndex(library: Library): Promise<ReadonlyMap<string, Origin>> {
  const folder = folderOf(library);
  const path = join(folder, indexes[library]);
  const code = await readFile(path, 'utf8');
  const sourceOf = (source: string) => (source.startsWith('.') ? join(dirname(path), source) : source);
  const imported = new Map<string, Origin>();
  for (const [, names = '', source = ''] of code.matchAll(/import\s*\{([^{}]*)\}\s*from\s*["']([^"']+)["']/g))
    for (const [name, local] of bindingsOf(names)) imported.set(local, { name, source: sourceOf(source) });
  for (const [, local = '', source = ''] of code.matchAll(/import\s+(\w+)\s+from\s*["']([^"']+)["']/g))
    imported.set(local, { name: 'default', source: sourceOf(source) });
  for (const [, local = '', source = ''] of code.matchAll(/import\s*\*\s*as\s+(\w+)\s+from\s*["']([^"']+)["']/g))
    imported.set(local, { name: '*', source: sourceOf(source) });
  const exported = new Map<string, Origin>();
  for (const [, names = '', source] of code.matchAll(/export\s*\{([^{}]*)\}(?:\s*from\s*["']([^"']+)["'])?/g))
    for (const [name, outside] of bindingsOf(names)) {
      const origin = source === undefined ? imported.get(name) : { name, source: sourceOf(source) };
      if (origin !== undefined) exported.set(outside, origin);
    }
  return exported;
}

/** The package's folder, found without its `package.json`, which may not be exported. */
function folderOf(library: Library): string {
  const entry = createRequire(import.meta.url).resolve(library);
  return entry.slice(0, entry.lastIndexOf(`/node_modules/${library}/`) + `/node_modules/${library}/`.length);
}
