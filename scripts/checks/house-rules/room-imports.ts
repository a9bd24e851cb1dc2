import { importsOf, isForTests, type Source } from './sources.ts';

/** Folders for assurance, building and operation, which import the product. */
const ASSURANCE = /^#(?:proof|bench|e2e|scripts)\//;

/** Modules for the product's tests only: builders, and simulators as processes. */
const FOR_TESTS = /^#(?:testing|simulators)\//;

/** A product file's or product test's forbidden imports. */
export function importsOfAssurance(source: Source): readonly string[] {
  if (!/^(?:contract|server|web)\//.test(source.path)) return [];
  const isForProduction = !isForTests(source.path);
  return importsOf(source)
    .filter((path) => ASSURANCE.test(path) || (isForProduction && FOR_TESTS.test(path)))
    .map((path) => `${source.path}: ${path}`);
}

/** A simulator's forbidden imports of the product, through which both could share a mistake. */
export function importsOfProduct(source: Source): readonly string[] {
  if (!source.path.startsWith('simulators/')) return [];
  return importsOf(source)
    .filter((path) => path.startsWith('#') && !path.startsWith('#simulators/'))
    .map((path) => `${source.path}: ${path}`);
}
