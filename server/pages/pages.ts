import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CONTACT_PLACEHOLDERS, type Contact, pagesFolder, phoneLink } from '#contract/contact.ts';
import { escapeHtml } from './html.ts';

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

/** Reads the pages, and writes into each how to reach whoever runs this server. */
export async function readPages(support: Contact, built = WEB_FOLDER): Promise<Pages> {
  const application = join(built, 'index.html');
  if (!existsSync(application)) return { application: undefined, prerendered: new Map(), scripts: [] };
  const read = async (path: string) => withContact(await readFile(path, 'utf8'), support);
  const folder = join(built, pagesFolder(support));
  const files = existsSync(folder) ? await readdir(folder) : [];
  const prerendered = await Promise.all(
    files.map(async (file) => [pathOf(file), await read(join(folder, file))] as const),
  );
  const scripts = prerendered.flatMap(([, page]) => [...page.matchAll(/<script>(.*?)<\/script>/gs)]);
  return {
    application: await read(application),
    prerendered: new Map(prerendered),
    scripts: [...new Set(scripts.map(([, script = '']) => hashOf(script)))],
  };
}

function withContact(page: string, { email, phone }: Contact): string {
  return page
    .replaceAll(CONTACT_PLACEHOLDERS.email, () => escapeHtml(email ?? ''))
    .replaceAll(phoneLink(CONTACT_PLACEHOLDERS.phone), phoneLink(phone ?? ''))
    .replaceAll(CONTACT_PLACEHOLDERS.phone, phone ?? '');
}

function pathOf(file: string): string {
  const name = basename(file, '.html');
  return name === 'index' ? '/' : `/${name}`;
}

function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}
