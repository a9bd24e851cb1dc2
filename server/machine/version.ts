import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(import.meta.dirname, '..', '..', 'package.json');
const { version }: { readonly version: string } = JSON.parse(readFileSync(path, 'utf8'));

/** Kasente's version from package.json, such as '1.2.0'. */
export const appVersion: string = version;
