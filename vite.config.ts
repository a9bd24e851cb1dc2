import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import type { Endpoint } from '#contract/endpoint.ts';
import { chunkGroups, compileHint } from '#scripts/build/chunks.ts';
import { directImports } from '#scripts/build/direct-imports.ts';
import { mantineStyles } from '#scripts/build/mantine-styles.ts';
import { markdownPages } from '#scripts/build/markdown-pages.ts';
import { prerenderedPages } from '#scripts/build/prerender.ts';

const compressible = new Set(['.js', '.css', '.svg', '.json', '.webmanifest']);

/** Writes every text file once more as brotli and gzip, which the server hands out as they are. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: async ({ dir = 'dist/web' }) => {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && compressible.has(extname(entry.name)));
      await Promise.all(files.map((file) => compress(join(file.parentPath, file.name))));
    },
  };
}

/** Scripts and styles that the page names carry their digest: a browser runs no other (docs/decisions/0022-browser-walls.md). */
function integrity(): Plugin {
  return {
    name: 'integrity',
    apply: 'build',
    writeBundle: async ({ dir = 'dist/web' }) => {
      const page = join(dir, 'index.html');
      const html = await readFile(page, 'utf8');
      const named = [...html.matchAll(/<(?:script|link)\b[^>]*? (?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)];
      const digests = await Promise.all(named.map(([, path = '']) => digestOf(join(dir, path))));
      const withDigests = named.reduce(
        (text, [tag], index) => text.replace(tag, `${tag} integrity="${digests[index]}"`),
        html,
      );
      await writeFile(page, withDigests);
    },
  };
}

async function digestOf(path: string): Promise<string> {
  return `sha384-${createHash('sha384')
    .update(await readFile(path))
    .digest('base64')}`;
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}

/**
 * Of an endpoint the browser gets what it takes to call it: method, path, and whether it changes something. Its schemas are
 * there for the types alone; without them zod travels with the screens whose forms ask for it, and with no other
 * (docs/decisions/0023-first-screen.md). What else such a file exports does not exist in the web: the build says so.
 */
function endpointsWithoutSchemas(): Plugin {
  return {
    name: 'endpoints-without-schemas',
    load: {
      filter: { id: /\/contract\/[\w-]+\/endpoints\.ts$/ },
      handler: async (id) => {
        // A query of its own: `npm run web` reads the file again when it was changed.
        const exported: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = await import(
          `${pathToFileURL(id).href}?${Date.now()}`
        );
        return Object.entries(exported)
          .filter(([name]) => name.endsWith('Endpoints'))
          .map(([name, calls]) => {
            const ways = JSON.stringify(calls, [...Object.keys(calls), 'method', 'path', 'changes']);
            return `export const ${name} = ${ways};`;
          })
          .join('\n');
      },
    },
  };
}

/** What makes JSON Schema of a schema, as zod imports it. */
const JSON_SCHEMA =
  /^import (?:\* as (processors)|\{ (\w+), (\w+) \}) from "\.\.\/core\/(?:json-schema-processors|to-json-schema)\.js";$/gm;

/**
 * Every schema of zod can describe itself as JSON Schema, which only the server asks for (server/openapi/openapi.ts): 4 kB of
 * every screen with a form. In the browser it cannot. A zod that imports it otherwise has it again, and grows past the limits of
 * weight.
 */
function formsWithoutJsonSchema(): Plugin {
  return {
    name: 'forms-without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler: (code) => ({
        code: code.replace(JSON_SCHEMA, (_, all?: string, one?: string, other?: string) =>
          all === undefined ? `const ${one} = () => undefined, ${other} = ${one};` : `const ${all} = {};`,
        ),
        map: null,
      }),
    },
  };
}

export default defineConfig({
  publicDir: 'web/public',
  plugins: [
    endpointsWithoutSchemas(),
    formsWithoutJsonSchema(),
    markdownPages(),
    react(),
    directImports(),
    mantineStyles(),
    integrity(),
    precompress(),
    prerenderedPages(),
  ],
  // Mantine gets the package's entry without the scroll lock, which would write style elements (web/ui/theme/theme.css).
  resolve: { alias: [{ find: /^react-remove-scroll$/, replacement: 'react-remove-scroll/UI' }] },
  // `npm run web` bundles libraries ahead, by other plugins than these.
  optimizeDeps: { rolldownOptions: { plugins: [mantineStyles()] } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // For scripts/build/weight-limits.ts, which judges the weight; the one that Vite would warn of is before compression.
    manifest: true,
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    rolldownOptions: {
      // On a busy machine they would be all that somebody sees of a start.
      checks: { pluginTimings: false },
      output: {
        postBanner: compileHint,
        codeSplitting: {
          groups: chunkGroups(import.meta.dirname),
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': 'http://localhost:3000' } },
});
