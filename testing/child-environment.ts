import { join } from 'node:path';

/** The folder that `npm start` uses too (server/main.mjs). */
const COMPILED = join(import.meta.dirname, '../.cache/compile');

/**
 * The environment of a process that a test starts: these settings and none of the developer's. It reuses Node's compile
 * cache for our modules, which halves the start time.
 */
export function childEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: COMPILED, ...settings };
}
