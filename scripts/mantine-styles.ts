import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const CLASSES = /\/@mantine\/(core|dates|charts|notifications)\/esm\/(?:.+\/)?([\w-]+)\.module\.mjs$/;

/**
 * Every Mantine component that is built in brings its stylesheet with it, into the same chunk; so nobody lists them, and none is
 * forgotten (docs/decisions/0012-weight.md). Behind the stylesheets of what it is made of: of two equal rules the
 * component's own wins, such as the padding of a select's options over that of any popover, however files are cut. The
 * sheets are in `@layer mantine`: what the product's own say wins, whichever arrives first.
 */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    transform: {
      filter: { id: CLASSES },
      handler: async (code, id) => {
        const [, library, component = ''] = CLASSES.exec(id) ?? [];
        const own =
          library === 'core'
            ? // The other packages have one sheet each.
              [...(await madeOf(dirname(id))), component].map((name) => `core/styles/${name}.layer.css`)
            : [`${library}/styles.layer.css`];
        return { code: `${own.map((sheet) => `import '@mantine/${sheet}';\n`).join('')}${code}`, map: null };
      },
    },
  };
}

/** The components with a sheet that a component's folder is made of, each behind those which it is made of itself. */
async function madeOf(folder: string, seen = new Set<string>([folder])): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const found: string[] = [];
  for (const [, name = ''] of texts.join('\n').matchAll(/from "\.\.\/(\w+)\//g)) {
    const other = join(dirname(folder), name);
    if (seen.has(other) || !existsSync(join(other, `${basename(other)}.module.mjs`))) continue;
    seen.add(other);
    found.push(...(await madeOf(other, seen)), name);
  }
  return found;
}
