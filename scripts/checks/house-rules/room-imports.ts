import { importsOf, isForTests, type Source } from './sources.ts';

/** What shows that the product works, or makes and runs it: it imports the product. */
const ASSURANCE = /^#(?:proof|bench|e2e|gallery|scripts)\//;

/** Modules that the product's tests may import, and the product may not: builders, and the providers as processes. */
const FOR_TESTS = /^#(?:server\/testing|simulators)\//;

/** The imports of a file of the product, or of its test, from assurance. */
export function importsOfAssurance(source: Source): readonly string[] {
  if (!/^(?:contract|server|web)\//.test(source.path)) return [];
  const isForProduction = !isForTests(source.path);
  return importsOf(source)
    .filter((path) => ASSURANCE.test(path) || (isForProduction && FOR_TESTS.test(path)))
    .map((path) => `${source.path}: ${path}`);
}

/** A simulator's imports of the product: none, so that the two cannot agree on a mistake. */
export function importsOfProduct(source: Source): readonly string[] {
  if (!source.path.startsWith('simulators/')) return [];
  return importsOf(source)
    .filter((path) => path.startsWith('#') && !path.startsWith('#simulators/'))
    .map((path) => `${source.path}: ${path}`);
}
