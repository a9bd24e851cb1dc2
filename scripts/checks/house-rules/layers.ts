import { dirname } from 'node:path';
import { importsOf, isForTests, type Source } from './sources.ts';

/** The folders of `server/` in layers: a folder imports only lower ones, types included. */

/** An import of one folder of the server by another. */
export interface FolderImport {
  readonly from: string;
  readonly to: string;
  /** The importing file and what it imports. */
  readonly by: string;
}

export interface Layers {
  /** The folders of each layer, the lowest first. */
  readonly layers: readonly (readonly string[])[];
  /** Imports among folders that have no layer, because they import each other. */
  readonly knots: readonly string[];
}

/** The top-level folder of a file of the server; a file beside the folders counts as a folder of its own. */
function folderOf(path: string): string {
  const [, folder = ''] = path.split('/');
  return folder;
}

/** The imports between folders of the server's production code. */
export function folderImports(sources: readonly Source[]): readonly FolderImport[] {
  return sources
    .filter(({ path }) => path.startsWith('server/') && !isForTests(path))
    .flatMap((source) =>
      importsOf(source)
        .map((imported) => (imported.startsWith('./') ? `${dirname(source.path)}/${imported.slice(2)}` : imported.slice(1)))
        .filter((imported) => imported.startsWith('server/') && folderOf(imported) !== folderOf(source.path))
        .map((imported) => ({
          from: folderOf(source.path),
          to: folderOf(imported),
          by: `${source.path} imports ${imported}`,
        })),
    );
}

/** Puts each folder above those that it imports. */
export function layersOf(imports: readonly FolderImport[]): Layers {
  const layers: string[][] = [];
  let open = new Set(imports.flatMap(({ from, to }) => [from, to]));
  for (;;) {
    const isBlocked = (folder: string) => imports.some(({ from, to }) => from === folder && open.has(to));
    const layer = [...open].filter((folder) => !isBlocked(folder)).sort();
    if (layer.length === 0) break;
    layers.push(layer);
    open = open.difference(new Set(layer));
  }
  return { layers, knots: imports.filter(({ from, to }) => open.has(from) && open.has(to)).map(({ by }) => by) };
}
