import { describe, expect, it } from 'vitest';
import { importsOfAssurance, importsOfProduct } from './room-imports.ts';
import { sources } from './sources.ts';

/** The permitted imports of the top-level folders. */

describe('the product', () => {
  it('imports no assurance code', () => {
    expect(sources.flatMap(importsOfAssurance)).toEqual([]);
  });

  it.each([
    ['server/desk/desk.service.ts', '#proof/page.ts'],
    ['server/desk/desk.test.ts', '#bench/rounds.ts'],
    ['server/desk/desk.harness.ts', '#scripts/chromium.mjs'],
    ['contract/money.ts', '#e2e/server.ts'],
    ['web/desk/desk.test.ts', '#e2e/looks.ts'],
    ['server/desk/desk.service.ts', '#testing/builders.ts'],
    ['server/desk/desk.service.ts', '#simulators/start.ts'],
  ])('is refused where %s imports %s', (path, imported) => {
    const text = `import { a } from '${imported}';\nimport { b } from '#server/db/database.ts';`;
    expect(importsOfAssurance({ path, text })).toEqual([`${path}: ${imported}`]);
  });

  it('may be imported by assurance code, and its tests may import test support', () => {
    const text = "import { a } from '#testing/builders.ts';";
    expect(importsOfAssurance({ path: 'server/desk/desk.test.ts', text })).toEqual([]);
    expect(importsOfAssurance({ path: 'proof/page.ts', text: "import { a } from '#bench/row.ts';" })).toEqual([]);
  });
});

describe('the simulators', () => {
  it('import nothing from the product, whose tests may start them', () => {
    expect(sources.flatMap(importsOfProduct)).toEqual([]);
    const text = "import { a } from '#contract/money.ts';";
    expect(importsOfProduct({ path: 'simulators/mtn/mtn.ts', text })).toEqual([
      'simulators/mtn/mtn.ts: #contract/money.ts',
    ]);
    const start = "import { startSimulator } from '#simulators/start.ts';";
    expect(importsOfAssurance({ path: 'server/desk/desk.test.ts', text: start })).toEqual([]);
  });
});
