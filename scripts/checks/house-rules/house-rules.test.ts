import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_ROOT, type Endpoint } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import { failures } from '#contract/errors.ts';
import { appOfFile } from '#testing/test-app.ts';
import { folderImports, layersOf } from './layers.ts';
import { importsOf, isForTests, root, type Source, sources } from './sources.ts';

/** The rules of docs/architecture.md. */

const production = sources.filter(({ path }) => !isForTests(path));

function within(room: string): readonly Source[] {
  return production.filter(({ path }) => path.startsWith(`${room}/`));
}

/** Whether an import has the usual form: './' for the same folder, the top-level folder's alias otherwise. */
function isPlainImport(from: string, path: string): boolean {
  if (path.startsWith('.')) return /^\.\/[^/]+$/.test(path);
  return !path.startsWith('#') || dirname(path.slice(1)) !== dirname(from);
}

/**
 * The permitted imports of each folder of the web, besides ui/, platform/ and the top-level catalogues; none for
 * folders not listed.
 */
const mayCompose: Readonly<Record<string, readonly string[]>> = {
  shell: ['accounts', 'applications', 'routes.tsx'],
  dashboard: ['accounts', 'applications', 'businesses', 'desk', 'figures', 'people'],
  desk: ['applications'],
  businesses: ['applications', 'desk'],
  ui: ['platform', 'notices.ts', 'paths.ts'],
  platform: ['paths.ts'],
};

/** A web file's forbidden imports. */
function importsBetweenRooms(source: Source): string[] {
  const [, room = '', ...within] = source.path.split('/');
  if (within.length === 0) return [];
  const beneath = room === 'ui' || room === 'platform' ? [] : ['ui', 'platform', 'notices.ts', 'paths.ts'];
  const known = [room, ...beneath, ...(mayCompose[room] ?? [])];
  return importsOf(source)
    .filter((path) => path.startsWith('#web/') && !known.includes(path.split('/')[1] ?? ''))
    .map((path) => `${source.path}: ${path}`);
}

/** Endpoints used only by programs; each must have a test. */
const notCalledByTheWeb: readonly EndpointName[] = [
  'feeModes',
  'interestRates',
  'validateApplication',
  'ownProfile',
  'allProfiles',
  'reportCsp',
  'railCallback',
];

describe('endpoints', () => {
  const app = appOfFile();

  it('serves every endpoint of the contract in every reading', () => {
    const missing = Object.values<Endpoint>(endpoints)
      .flatMap((endpoint) => [endpoint, ...(endpoint.aliases ?? [])])
      .filter(({ method, path }) => !app.server.hasRoute({ method, url: `${API_ROOT}${path}` }));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('serves each endpoint in the feature that declares it', () => {
    // The account endpoints belong to accounts.
    const servedBy = (contract: string) => (contract === 'own-account' ? 'accounts' : contract);
    const foreign = within('server')
      .filter(({ path }) => path.endsWith('.routes.ts'))
      .flatMap((source) =>
        importsOf(source)
          .map((path) => /^#contract\/([\w-]+)\/endpoints\.ts$/.exec(path)?.[1])
          .filter((contract) => contract !== undefined && !source.path.startsWith(`server/${servedBy(contract)}/`))
          .map((contract) => `${source.path}: ${contract}`),
      );
    expect(foreign).toEqual([]);
  });

  it('answers an unknown API path with JSON', async () => {
    const answer = await app.visitor().get('/no/such/path');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ success: false, msg: 'Not found', code: 'NOT_FOUND' });
  });

  it('calls every endpoint from the web, except those for programs', () => {
    const web = within('web').map(({ text }) => text);
    const called = (name: string) => web.some((text) => new RegExp(`(?:Endpoints|paths)\\.${name}\\b`).test(text));
    const names = Object.keys(endpoints);
    expect(names.filter((name) => !called(name)).sort()).toEqual([...notCalledByTheWeb].sort());
  });

  it('are described as OpenAPI once per version', async () => {
    const { body } = await app.visitor().get('/openapi.json');
    const described = Object.values<Record<string, unknown>>(body.paths).flatMap((path) => Object.keys(path));
    const ways = Object.values<Endpoint>(endpoints).flatMap((endpoint) => [endpoint, ...(endpoint.aliases ?? [])]);
    expect(described).toHaveLength(ways.length);
  });
});

describe('failures', () => {
  it('are all used, and have a text', () => {
    const code = [...within('server'), ...within('contract')].filter(({ path }) => path !== 'contract/errors.ts');
    const unused = Object.keys(failures).filter(
      (name) => !code.some(({ text }) => new RegExp(`['.]${name}\\b`).test(text)),
    );
    expect(unused).toEqual([]);
    for (const { msg, status } of Object.values(failures)) {
      expect(msg.length).toBeGreaterThan(5);
      expect(status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('imports', () => {
  it('are ./name within a folder, and #room/path otherwise', () => {
    const offending = sources.flatMap((source) =>
      importsOf(source)
        .filter((path) => !isPlainImport(source.path, path))
        .map((path) => `${source.path}: ${path}`),
    );
    expect(offending).toEqual([]);
    expect(
      ['../db/pages.ts', './tables/tables.ts', '#server/db/sockets.ts'].filter((path) =>
        isPlainImport('server/db/database.ts', path),
      ),
    ).toEqual([]);
  });

  it('are of the file that declares a thing: nothing is exported again', () => {
    const again = [...within('contract'), ...within('server')].filter(({ text }) =>
      /^export (?:type )?(?:\*|\{[^}]*\}) from /m.test(text),
    );
    expect(again.map(({ path }) => path)).toEqual([]);
  });

  it('of the contract are only zod and the contract', () => {
    const outside = within('contract').flatMap((source) =>
      importsOf(source)
        .filter((path) => path !== 'zod' && !path.startsWith('#contract/') && !path.startsWith('./'))
        .map((path) => `${source.path}: ${path}`),
    );
    expect(outside).toEqual([]);
  });

  it('between folders of the server go down the layers', () => {
    expect(layersOf(folderImports(sources)).knots).toEqual([]);
    const planted: Source = {
      path: 'server/invoices/invoices.queries.ts',
      text: "import type { Desk } from '#server/desk/desk.service.ts';",
    };
    expect(layersOf(folderImports([...sources, planted])).knots).toContain(
      'server/invoices/invoices.queries.ts imports server/desk/desk.service.ts',
    );
  });

  it('of routes are only those of app.ts', () => {
    const foreign = folderImports(production)
      .filter(({ by, path }) => by !== 'server/app.ts' && path.endsWith('.routes.ts'))
      .map(({ by, path }) => `${by} imports ${path}`);
    expect(foreign).toEqual([]);
  });

  it('between rooms of the web follow their composition; features do not import each other', () => {
    const folders = readdirSync(join(root, 'web'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'public')
      .map(({ name }) => name);
    expect(folders).toEqual(expect.arrayContaining(Object.keys(mayCompose)));
    expect(within('web').flatMap(importsBetweenRooms)).toEqual([]);
    const planted = (path: string, imported: string) =>
      importsBetweenRooms({ path, text: `import { x } from '${imported}';` });
    expect(planted('web/people/roles-form.tsx', '#web/accounts/session.api.ts')).toHaveLength(1);
    expect(planted('web/ui/text/amount.tsx', '#web/desk/desk.api.ts')).toHaveLength(1);
    expect(planted('web/desk/case/case-page.tsx', '#web/applications/terms/applications.api.ts')).toEqual([]);
  });

  it('of the browser journeys are only their fixtures, so that a wrong catalogue fails them', () => {
    const offending = within('e2e').flatMap((source) =>
      importsOf(source)
        .filter((path) => /^#(contract|server|web|testing(?!\/(evidence|hostile-files|servers)\/))\//.test(path))
        .map((path) => `${source.path}: ${path}`),
    );
    expect(offending).toEqual([]);
  });
});

describe('files', () => {
  it('have at most 400 lines', () => {
    const generated = 'server/db/tables/tables.ts';
    const long = sources.filter(({ path, text }) => path !== generated && text.split('\n').length > 401);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('have descriptive names', () => {
    const vague = sources.filter(({ path }) => /(^|[/.-])(utils?|helpers?|common|managers?|misc)([/.-]|$)/.test(path));
    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  it('of the web contain no URLs', () => {
    const literal = /(?:to|href|navigate|pathname|path)[=({:\s]+['"`]\/[a-z]/;
    const offending = within('web').filter(({ path, text }) => path !== 'web/paths.ts' && literal.test(text));
    expect(offending.map(({ path }) => path)).toEqual([]);
  });

  it('of the server use the database’s time, not the machine’s (docs/decisions/0021-load.md)', () => {
    const asking = /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bperformance\.timeOrigin\b|\bTemporal\.Now\b/;
    expect(['Date.now()', 'new Date()', 'x = Date()'].every((code) => asking.test(code))).toBe(true);
    expect(
      within('server')
        .filter(({ text }) => asking.test(text))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('of the server redirect only to literal paths', () => {
    const toOwnPath = /^\.redirect\('\/(?!\/)[^']*'[,)]/;
    expect([".redirect('//evil.example')", '.redirect(request.url)'].some((call) => toOwnPath.test(call))).toBe(false);
    const redirects = within('server').flatMap(({ text }) => text.match(/\.redirect\(.*/g) ?? []);
    expect(redirects).not.toEqual([]);
    expect(redirects.filter((call) => !toOwnPath.test(call))).toEqual([]);
  });

  it('contain no to-do comments', () => {
    const marker = new RegExp(`\\b(${['TO', 'DO'].join('')}|FIX${'ME'}|XX${'X'})\\b`);
    expect(sources.filter(({ text }) => marker.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
