import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { CONTACT_PLACEHOLDERS, type Contact, pagesFolder, phoneLink } from '#contract/contact.ts';
import { webBuildState, webFolder } from '#server/config/web-build.mjs';
import { escapeHtml, inlineSource } from './html.ts';
import { pagePolicy } from './security-headers.ts';

const root = join(import.meta.dirname, '..', '..');

/** The built web application; hashed files are in `assets/`, prerendered pages in `pages/`. */
export const WEB_FOLDER = webFolder(root);

/**
 * Why the web application must not be served, and how to fix it; undefined if it was built from the sources beside it.
 */
export async function findWebFault(): Promise<string | undefined> {
  const remedy = `Run npm run build in ${root}, then start again.`;
  switch (await webBuildState(root)) {
    case 'current':
      return undefined;
    case 'missing':
      return `the web application is not built: there is no ${join(WEB_FOLDER, 'index.html')}. ${remedy}`;
    case 'stale':
      return `the web application in ${WEB_FOLDER} was built from other sources than these. ${remedy}`;
  }
}

/** The pages of the web application, read at the start. */
export interface Pages {
  /** The page for every path without one of its own; undefined if the application is not built. */
  readonly application: Page | undefined;
  /** By path, the page that is shown before hydration (docs/decisions/0023-first-screen.md). */
  readonly prerendered: ReadonlyMap<string, Page>;
}

/** A page with its content security policy. */
export interface Page {
  readonly html: string;
  readonly policy: string;
  /** The page compressed as well as possible, which takes some 50 ms the first time it is asked for. */
  readonly compressed: (encoding: 'br' | 'gzip') => Promise<Buffer>;
}

/** Reads the pages, and inserts the operator's contact. */
export async function readPages(support: Contact, built = WEB_FOLDER): Promise<Pages> {
  const application = join(built, 'index.html');
  const themes = join(built, 'theme-styles.json');
  // A build by an earlier release has no themes; without them the browser would refuse the application's styles.
  if (!existsSync(application) || !existsSync(themes)) return { application: undefined, prerendered: new Map() };
  const written: readonly string[] = JSON.parse(await readFile(themes, 'utf8'));
  const themeStyles = written.map(inlineSource);
  const read = async (path: string) => pageOf(withContact(await readFile(path, 'utf8'), support), themeStyles);
  const folder = join(built, pagesFolder(support));
  const files = existsSync(folder) ? await readdir(folder) : [];
  const prerendered = await Promise.all(
    files.map(async (file) => [pathOf(file), await read(join(folder, file))] as const),
  );
  return { application: await read(application), prerendered: new Map(prerendered) };
}

/** `themeStyles` are the sources of what the application's theme writes into the page. */
function pageOf(html: string, themeStyles: readonly string[]): Page {
  const within = (element: 'script' | 'style') =>
    [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text = '']) => inlineSource(text));
  const made = new Map<string, Promise<Buffer>>();
  return {
    html,
    policy: pagePolicy({ scripts: within('script'), styles: [...within('style'), ...themeStyles] }),
    compressed: (encoding) => {
      const content = made.get(encoding) ?? promisify(encoding === 'br' ? brotliCompress : gzip)(html);
      made.set(encoding, content);
      return content;
    },
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
