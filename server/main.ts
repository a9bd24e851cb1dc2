import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * `npm start`. Nothing but this is loaded before Node is told to keep what it makes of our modules: the next start takes
 * two thirds of the time (docs/decisions/0028-benches.md). Where that folder cannot be written to, nothing is kept. Not the
 * system's temporary folder, where somebody else might put code for us.
 */
enableCompileCache(join(import.meta.dirname, '../.cache/compile'));
await import('./serve.ts');
