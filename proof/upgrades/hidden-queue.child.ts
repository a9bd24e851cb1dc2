import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before a server: hides the accept queue from it, so that it closes at once, as earlier releases did
 * (docs/decisions/0037-deploy.md).
 */

const { openSync } = fs;

fs.openSync = (path, ...more) => {
  if (String(path).startsWith('/proc/self/net/')) throw new Error('hidden');
  return openSync(path, ...more);
};
syncBuiltinESMExports();
