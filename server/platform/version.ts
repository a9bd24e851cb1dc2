import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const packageJson = z.object({ version: z.string() });

/** This version of Kasente, as package.json names it; read once. */
export const appVersion: string = packageJson.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')),
).version;
