import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * `npm start`. Nothing but this is loaded before Node is told to keep what it makes of our modules: the next start takes
 * half of the time, and does without what strips types, which is why this is no TypeScript (docs/decisions/0028-benches.md).
 * Where that folder cannot be written to, nothing is kept. It is not the system's temporary folder, where somebody else
 * might put code for us.
 */
enableCompileCache(join(import.meta.dirname, '../.cache/compile'));
const { captureProcess } = await import('#server/observability/process-log.ts');
captureProcess();
await import('./serve.ts');
