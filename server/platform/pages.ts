import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Where the build puts the web application; its hashed files are below `assets/`, its prerendered pages below `pages/`. */
export const WEB_FOLDER = join(import.meta.dirname, '..', '..', 'dist', 'web');

/** The pages of the web application as the server found them at its start. */
export interface Pages {
  /** For every path that has none of its own; undefined where the application has not been built. */
  readonly application: string | undefined;
  /** By path: what stands there before the application has arrived (docs/decisions/0023-first-screen.md). */
  readonly prerendered: ReadonlyMap<string, string>;
  /** The scripts within the pages, as a content security policy names them. */
  readonly scripts: readonly string[];
}

export async function readPages(): Promise<Pages> {
  const application = join(WEB_FOLDER, 'index.html');
  if (!existsSync(application)) return { application: undefined, prerendered: new Map(), scripts: [] };
  const folder = join(WEB_FOLDER, 'pages');
  const files = existsSync(folder) ? await readdir(folder) : [];
  const prerendered = await Promise.all(
    files.map(async (file) => [pathOf(file), await readFile(join(folder, file), 'utf8')] as const),
  );
  const scripts = prerendered.flatMap(([, page]) => [...page.matchAll(/<script>(.*?)<\/script>/gs)]);
  return {
    application: await readFile(application, 'utf8'),
    prerendered: new Map(prerendered),
    scripts: [...new Set(scripts.map(([, script = '']) => hashOf(script)))],
  };
}

function pathOf(file: string): string {
  const name = basename(file, '.html');
  return name === 'index' ? '/' : `/${name}`;
}

function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}
