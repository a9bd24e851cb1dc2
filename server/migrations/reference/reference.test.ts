import { describe, expect, it } from 'vitest';
import { type District, districts } from './districts.ts';
import { sectors } from './sectors.ts';

function countBy(key: 'kind' | 'region', rows: readonly District[]) {
  return Object.fromEntries(
    [...new Set(rows.map((row) => row[key]))].map((value) => [value, rows.filter((row) => row[key] === value).length]),
  );
}

function namesOf(kind: District['kind']) {
  return districts.filter((row) => row.kind === kind).map((row) => row.name);
}

/** Ids count up from 1 in the order of the names, so an insertion in the middle shows. */
function expectFrozenOrder(rows: readonly { id: number; name: string }[]) {
  expect(rows.map((row) => row.id)).toEqual(rows.map((_, index) => index + 1));
  expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  for (const { name } of rows) {
    expect(name).toBe(name.trim());
    expect(name).not.toMatch(/\s{2}/);
  }
}

describe('districts', () => {
  it('holds the 146 districts and cities the Electoral Commission counts', () => {
    expect(districts).toHaveLength(146);
    expect(countBy('kind', districts)).toEqual({
      district: 135,
      'capital city': 1,
      city: 10,
    });
  });

  it('holds the districts of each region that ISO 3166-2:UG lists, and Terego', () => {
    const rows = districts.filter((row) => row.kind === 'district' && row.name !== 'Terego');
    expect(countBy('region', rows)).toEqual({
      Central: 25,
      Eastern: 37,
      Northern: 37,
      Western: 35,
    });
    expect(districts.find((row) => row.name === 'Terego')).toMatchObject({
      kind: 'district',
      region: 'Northern',
    });
  });

  it('names the capital and the 10 cities that operate', () => {
    expect(namesOf('capital city')).toEqual(['Kampala']);
    expect(namesOf('city')).toEqual([
      'Arua City',
      'Fort Portal City',
      'Gulu City',
      'Hoima City',
      'Jinja City',
      'Lira City',
      'Masaka City',
      'Mbale City',
      'Mbarara City',
      'Soroti City',
    ]);
  });

  it('puts every city in the region of the district around it', () => {
    const regionOf = new Map(districts.map((row) => [row.name, row.region]));
    for (const city of districts.filter((row) => row.kind === 'city')) {
      const surrounding = city.name === 'Fort Portal City' ? 'Kabarole' : city.name.replace(/ City$/, '');
      expect([city.name, regionOf.get(surrounding)]).toEqual([city.name, city.region]);
    }
  });

  it('is sorted by unique names, with ids that follow', () => {
    expectFrozenOrder(districts);
    const names = districts.map((row) => row.name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  it('keeps the ids that stored rows refer to', () => {
    const idOf = new Map(districts.map((row) => [row.name, row.id]));
    const pinned = ['Abim', 'Jinja', 'Kampala', 'Mbarara City', 'Terego', 'Zombo'];
    expect(pinned.map((name) => idOf.get(name))).toEqual([1, 42, 54, 102, 142, 146]);
  });
});

describe('sectors', () => {
  it('is sorted by unique names, with ids that follow and Other last', () => {
    expectFrozenOrder(sectors);
    const names = sectors.map((row) => row.name);
    expect(names.at(-1)).toBe('Other');
    const named = names.slice(0, -1);
    expect(named).toEqual(named.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  it('covers every ISIC section that holds businesses, and no other', () => {
    const sections = new Set(sectors.map((row) => row.isic).filter((isic) => isic !== null));
    expect([...sections].toSorted().join('')).toBe('ABCDEFGHIJKLMNPQRS');
    expect(sectors.filter((row) => row.isic === null).map((row) => row.name)).toEqual(['Other']);
  });
});
