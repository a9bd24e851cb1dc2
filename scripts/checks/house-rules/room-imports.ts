import { importsOf, isForTests, type Source } from './sources.ts';

/** What shows that the product works, or makes and runs it: it imports the product. */
const ASSURANCE = /^#(?:proof|bench|e2e|scripts)\//;

/** What a file of the product, or a test of it, imports of what is made to look at it. */
export function importsOfAssurance(source: Source): readonly string[] {
  if (!/^(?:contract|server|web)\//.test(source.path)) return [];
  const isForProduction = !isForTests(source.path);
  return importsOf(source)
    .filter((path) => ASSURANCE.test(path) || (isForProduction && path.startsWith('#server/testing/')))
    .map((path) => `${source.path}: ${path}`);
}
