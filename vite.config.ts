import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}

const MANTINE_CLASSES = /\/@mantine\/(core|dates|charts|notifications)\/esm\/(?:.+\/)?([\w-]+)\.module\.mjs$/;

/**
 * Every Mantine component that is built in brings its stylesheet with it, into the same chunk and behind the stylesheets of
 * what it is made of; so nobody lists them, and none is forgotten (docs/decisions/0012-weight.md). The sheets are in
 * `@layer mantine`: what the product's own say wins, whichever arrives first.
 */
function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    transform: {
      filter: { id: MANTINE_CLASSES },
      handler: (code, id) => {
        const [, library, component] = MANTINE_CLASSES.exec(id) ?? [];
        // The other packages have one sheet each.
        const sheet = library === 'core' ? `styles/${component}.layer.css` : 'styles.layer.css';
        return { code: `import '@mantine/${library}/${sheet}';\n${code}`, map: null };
      },
    },
  };
}

export default defineConfig({
  publicDir: 'web/public',
  plugins: [react(), mantineStyles(), precompress()],
  // `npm run web` bundles libraries ahead, by other plugins than these.
  optimizeDeps: { rolldownOptions: { plugins: [mantineStyles()] } },
  // The server replaces it in every page it sends (server/platform/web.ts).
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // For scripts/weight-limits.ts, which judges the weight; the one that Vite would warn of is before compression.
    manifest: true,
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What the first screen needs travels in two files; libraries apart, because releases seldom change them.
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'first', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': 'http://localhost:3000' } },
});
