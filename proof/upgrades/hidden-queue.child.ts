import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before a server: it is not told who waits to be accepted, so that it closes at once, as it did before. */

const { openSync } = fs;

fs.openSync = (path, ...more) => {
  if (String(path).startsWith('/proc/self/net/')) throw new Error('hidden');
  return openSync(path, ...more);
};
syncBuiltinESMExports();
