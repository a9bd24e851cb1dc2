import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CONTACT_PLACEHOLDERS, type Contact, pagesFolder, phoneLink } from '#contract/contact.ts';
import { escapeHtml } from './html.ts';

/** The built web application; hashed files are in `assets/`, prerendered pages in `pages/`. */
export const WEB_FOLDER = join(import.meta.dirname, '..', '..', 'dist', 'web');

/** The pages of the web application, read at the start. */
export interface Pages {
  /** For every path without a page; undefined if the application is not built. */
  readonly application: string | undefined;
  /** By path: what is shown before hydration (docs/decisions/0023-first-screen.md). */
  readonly prerendered: ReadonlyMap<string, string>;
  /** The inline scripts' sources for a content security policy. */
  readonly scripts: readonly string[];
}

/** Reads the pages, and inserts the operator's contact. */
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
