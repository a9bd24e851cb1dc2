import { dirname } from 'node:path';
import { importsOf, isForTests, type Source } from './sources.ts';

/** The layers of `server/`: a folder imports only folders of lower layers, types included. */

/** An import of one folder of the server by another. */
export interface FolderImport {
  readonly from: string;
  readonly to: string;
  /** The importing file. */
  readonly by: string;
  /** The imported file. */
  readonly path: string;
}

interface Layers {
  /** The folders of each layer, the lowest first. */
  readonly layers: readonly (readonly string[])[];
  /** The imports among folders that import each other, directly or indirectly, and of the folders above them. */
  readonly knots: readonly string[];
}

/** The folder of a file of the server; a file outside the folders counts as its own folder. */
function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function resolved(from: string, imported: string): string {
  return imported.startsWith('./') ? `${dirname(from)}/${imported.slice(2)}` : imported.slice(1);
}

/** The imports between folders of the server's production code. */
export function folderImports(sources: readonly Source[]): readonly FolderImport[] {
  return sources
    .filter(({ path }) => path.startsWith('server/') && !isForTests(path))
    .flatMap((source) =>
      importsOf(source)
        .map((imported) => resolved(source.path, imported))
        .filter((path) => path.startsWith('server/') && folderOf(path) !== folderOf(source.path))
        .map((path) => ({ from: folderOf(source.path), to: folderOf(path), by: source.path, path })),
    );
}

/** Puts each folder above those that it imports. */
export function layersOf(imports: readonly FolderImport[]): Layers {
  const layers: string[][] = [];
  let open = new Set(imports.flatMap(({ from, to }) => [from, to]));
  const isBlocked = (folder: string) => imports.some(({ from, to }) => from === folder && open.has(to));
  for (;;) {
    const layer = [...open].filter((folder) => !isBlocked(folder)).sort();
    if (layer.length === 0) break;
    layers.push(layer);
    open = new Set([...open].filter((folder) => !layer.includes(folder)));
  }
  const knots = imports
    .filter(({ from, to }) => open.has(from) && open.has(to))
    .map(({ by, path }) => `${by} imports ${path}`);
  return { layers, knots };
}
