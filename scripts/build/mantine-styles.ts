import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const CLASSES = /\/@mantine\/(core|dates|charts|notifications)\/esm\/(?:.+\/)?([\w-]+)\.module\.mjs$/;
const SHEET = /\/@mantine\/(core|dates|charts|notifications)\/styles(?:\/([\w-]+))?\.layer\.css$/;
const LAYER = '@layer mantine {';

/**
 * Adds every used Mantine component's style sheet to its chunk, so that none is forgotten
 * (docs/decisions/0023-first-screen.md). Each sheet is in the layer of its component's depth, so that a component's rules
 * override those of its parts in any loading order (docs/decisions/0030-style-layers.md).
 */
export function mantineStyles(): Plugin {
  const depths = new Depths();
  return {
    name: 'mantine-styles',
    transform: {
      filter: { id: [CLASSES, SHEET] },
      handler: (code, id) => {
        const [, library, component = ''] = CLASSES.exec(id) ?? [];
        if (library === undefined) return { code: inLayer(code, layerOf(id, depths)), map: null };
        // The other packages have one sheet each.
        const sheet = library === 'core' ? `core/styles/${component}` : `${library}/styles`;
        return { code: `import '@mantine/${sheet}.layer.css';\n${code}`, map: null };
      },
    },
    // Before any sheet, because the first mention of a layer decides its order.
    transformIndexHtml: () => [{ tag: 'style', children: `@layer ${layers(depths).join(',')};` }],
  };
}

/** From the weakest: styles without a component, components of @mantine/core, components of other packages. */
function layers(depths: Depths): string[] {
  const deepest = Math.max(...depths.byComponent().values());
  return ['base', ...Array.from({ length: deepest + 1 }, (_, depth) => `depth-${depth}`), 'packages'].map(
    (name) => `mantine.${name}`,
  );
}

function layerOf(sheet: string, depths: Depths): string {
  const [, library, component = ''] = SHEET.exec(sheet) ?? [];
  if (library !== 'core') return 'mantine.packages';
  const depth = depths.byComponent().get(component);
  return depth === undefined ? 'mantine.base' : `mantine.depth-${depth}`;
}

function inLayer(sheet: string, layer: string): string {
  if (!sheet.startsWith(LAYER)) throw new Error(`a sheet of Mantine does not begin with '${LAYER}'`);
  return sheet.replace(LAYER, `@layer ${layer} {`);
}

const FOLDER = /^.*\/esm\/(?:components|utils)\/\w+/;

/** The nesting depth of the components of @mantine/core; 0 without parts. */
class Depths {
  private readonly folders = new Map<string, number>();
  private components: ReadonlyMap<string, number> | undefined;

  /** By the component's sheet. */
  byComponent(): ReadonlyMap<string, number> {
    this.components ??= new Map(
      modulesIn(join(dirname(createRequire(import.meta.url).resolve('@mantine/core')), '../esm')).flatMap((path) => {
        const [, , component] = CLASSES.exec(path) ?? [];
        const [folder] = FOLDER.exec(path) ?? [];
        return component === undefined || folder === undefined ? [] : [[component, this.of(folder)]];
      }),
    );
    return this.components;
  }

  private of(folder: string): number {
    const known = this.folders.get(folder);
    if (known !== undefined) return known;
    const depth = Math.max(0, ...madeOf(folder).map((other) => this.of(other) + (hasSheet(other) ? 1 : 0)));
    this.folders.set(folder, depth);
    return depth;
  }
}

/** The folders of the components that the modules of a folder import. */
function madeOf(folder: string): string[] {
  const imported = modulesIn(folder).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/from "(\.[^"]+)"/g)].map(([, name = '']) => join(dirname(path), name)),
  );
  const others = imported.map((path) => FOLDER.exec(path)?.[0]).filter((other) => other !== undefined);
  return [...new Set(others)].filter((other) => other !== folder);
}

function hasSheet(folder: string): boolean {
  return modulesIn(folder).some((path) => CLASSES.test(path));
}

function modulesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name));
}
