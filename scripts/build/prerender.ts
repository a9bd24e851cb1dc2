import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { z } from 'zod';
import { CONTACT_PLACEHOLDERS, type Contact, pagesFolder } from '#contract/contact.ts';
import { districts } from '#server/migrations/reference/districts.ts';
import { sectors } from '#server/migrations/reference/sectors.ts';
import { chunkOf } from './chunks.ts';
import { markdownPages } from './markdown-pages.ts';
import { usedStyles } from './used-styles.ts';

/**
 * Prerenders the public pages as HTML that can be read and filled in before the application loads
 * (docs/decisions/0023-first-screen.md): React's output for an unknown visitor, its styles, and a script of about one
 * kilobyte, all inline. The server finds a page by its path below `pages/`, in the folder of its contacts. The styles
 * that Mantine writes once the application has loaded go into `theme-styles.json`, for the content security policy.
 */

/** The pages, with the chunks that web/routes.tsx loads for each. */
const pages: Readonly<Record<string, readonly string[]>> = {
  '/login': [],
  '/signup': ['queries', 'signup'],
  '/forgot-password': ['queries', 'web/accounts/password-reset/forgot-password-page.tsx'],
  '/privacy-policy': textPage('privacy-policy-page'),
  '/cookie-policy': textPage('cookie-policy-page'),
  '/user-agreement': textPage('user-agreement-page'),
  '/help': textPage('help-page'),
  '/about-us': textPage('about-page'),
  '/about-kasente': textPage('about-page'),
};

/** A server's optional contacts: each page is rendered for every combination, and the server inserts the values. */
const contacts: readonly Contact[] = [CONTACT_PLACEHOLDERS.email, null].flatMap((email) =>
  [CONTACT_PLACEHOLDERS.phone, null].map((phone) => ({ email, phone })),
);

/** The page shows the login screen to visitors without a session (web/platform/hydration/inline-script.ts). */
const HOME = { file: 'index', shows: '/login' } as const;

/** The first migration's data, for the selects of prerendered forms. */
const lookups: Lookups = { sectors: namesOf(sectors), districts: namesOf(districts) };

function namesOf(rows: Lookups['sectors']): Lookups['sectors'] {
  return rows.map(({ id, name }) => ({ id, name }));
}

function textPage(name: string): string[] {
  return ['queries', 'web/public-pages/text-layout.tsx', `web/public-pages/${name}.tsx`];
}

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    name: z.string().optional(),
    imports: z.string().array().optional(),
    css: z.string().array().optional(),
  }),
);
type Chunks = z.output<typeof manifest>;

type Lookups = Readonly<Record<'sectors' | 'districts', readonly { readonly id: number; readonly name: string }[]>>;

/** web/shell/prerender.tsx, built for Node. */
interface Renderer {
  readonly prerender: (path: string, lookups: Lookups, contact: Contact) => Promise<string>;
  readonly themeStyles: (staff: boolean) => string;
}

/** Prerenders the public pages after the build. */
export function prerenderedPages(): Plugin {
  let outDir = '';
  let root = '';
  return {
    name: 'prerendered-pages',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved: (config) => {
      root = config.root;
      outDir = resolve(root, config.build.outDir);
    },
    closeBundle: {
      sequential: true,
      handler: async () => {
        const [template, chunks] = await Promise.all([
          readFile(join(outDir, 'index.html'), 'utf8'),
          readFile(join(outDir, '.vite/manifest.json'), 'utf8').then((text) => manifest.parse(JSON.parse(text))),
        ]);
        const temporary = await mkdtemp(join(root, 'node_modules/.prerender-'));
        try {
          const { prerender, themeStyles } = await buildRenderer(temporary);
          // React empties the element before it writes the other theme into it.
          const themes = [themeStyles(false), themeStyles(true), ''];
          await writeFile(join(outDir, 'theme-styles.json'), JSON.stringify(themes));
          const script = await buildScript(temporary);
          for (const contact of contacts) {
            const folder = join(outDir, pagesFolder(contact));
            await mkdir(folder, { recursive: true });
            for (const [path, modules] of Object.entries(pages)) {
              const styles = themeStyles(false) + (await stylesOf(outDir, chunks, modules));
              const content = await prerender(path, lookups, contact);
              const html = compose({ template, content, script, chunks, modules, styles });
              await writeFile(join(folder, `${path.slice(1)}.html`), html);
              if (path === HOME.shows) await writeFile(join(folder, `${HOME.file}.html`), html);
            }
          }
        } finally {
          await rm(temporary, { recursive: true, force: true });
        }
      },
    },
  };
}

/** Builds the page renderer for Node. */
async function buildRenderer(outDir: string): Promise<Renderer> {
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [markdownPages()],
    build: { ssr: 'web/shell/prerender.tsx', outDir, emptyOutDir: false },
  });
  const renderer: Renderer = await import(pathToFileURL(join(outDir, 'prerender.js')).href);
  return renderer;
}

/** Each page's inline script. */
async function buildScript(outDir: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      lib: {
        entry: 'web/platform/hydration/inline-script.ts',
        formats: ['iife'],
        name: 'kasente',
        fileName: () => 'before.js',
      },
      target: 'es2022',
      outDir,
      emptyOutDir: false,
    },
  });
  const script = (await readFile(join(outDir, 'before.js'), 'utf8')).trim();
  if (script.includes('</')) throw new Error('the script within the pages would end early');
  return script;
}

/** A module's chunk and everything that it needs. */
function neededBy(chunks: Chunks, module: string): { readonly scripts: string[]; readonly styles: string[] } {
  const chunk = chunkOf(chunks, module);
  const deeper = (chunk.imports ?? []).map((name) => neededBy(chunks, name));
  return {
    scripts: [...deeper.flatMap(({ scripts }) => scripts), chunk.file],
    styles: [...deeper.flatMap(({ styles }) => styles), ...(chunk.css ?? [])],
  };
}

async function stylesOf(outDir: string, chunks: Chunks, modules: readonly string[]): Promise<string> {
  const files = new Set(['index.html', ...modules].flatMap((module) => neededBy(chunks, module).styles));
  const sheets = await Promise.all([...files].map((file) => readFile(join(outDir, file), 'utf8')));
  return sheets.join('');
}

interface Page {
  readonly template: string;
  readonly content: string;
  readonly script: string;
  readonly chunks: Chunks;
  readonly modules: readonly string[];
  readonly styles: string;
}

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/g;
const TITLE = /<title>[^<]*<\/title>/;

/**
 * Assembles a page. The complete style sheets come last, after the content with its inline styles; the application starts
 * when they are loaded.
 */
function compose({ template, content, script, chunks, modules, styles }: Page): string {
  const sheets = template.match(STYLESHEET) ?? [];
  const [title] = TITLE.exec(content) ?? [];
  if (title === undefined || sheets.length === 0) throw new Error('a page has no title, or no styles');
  const body = content.replace(title, '');
  const later = modules.map((module) => neededBy(chunks, module));
  const missing = (files: readonly string[]) => [...new Set(files)].filter((file) => !template.includes(file));
  const preloads = missing(later.flatMap(({ scripts }) => scripts)).map(
    (file) => `<link rel="modulepreload" crossorigin href="/${file}">`,
  );
  const moreSheets = missing(later.flatMap((needed) => needed.styles)).map(
    (file) => `<link rel="stylesheet" crossorigin href="/${file}">`,
  );
  const style = `<style>${usedStyles(styles, body)}</style>`;
  return template
    .replaceAll(STYLESHEET, '')
    .replace(TITLE, title)
    .replace('</head>', () => `${preloads.join('')}<script>${script}</script>${style}</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${body}</div>`)
    .replace('</body>', () => `${[...sheets, ...moreSheets].join('').trim()}</body>`);
}
