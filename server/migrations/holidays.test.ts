import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { dropDatabase, makeEmptyDatabase, onDatabase } from './databases.harness.ts';
import { migrate, migrateTo } from './migrate.ts';

it('Inauguration Day is 12 May of 2026 and 2031, acts are cited by year, and a day that an operator entered stays', async () => {
  const name = await makeEmptyDatabase();
  await onDatabase(name, async (db) => {
    await db.inTransaction((change) => migrateTo(change, '0080-tax-numbers'));
    const own = { date: '2026-05-12', name: 'Swearing-in of the President', source: 'Proclamation of May 2026' };
    await sql`insert into public_holidays values (${own.date}, ${own.name}, ${own.source})`.execute(db);
    await migrate(db);
    const { rows } = await sql<typeof own>`select * from public_holidays order by date`.execute(db);
    expect(rows.filter(({ date }) => date.endsWith('-05-12'))).toEqual([
      own,
      expect.objectContaining({ date: '2031-05-12', name: 'Inauguration Day' }),
    ]);
    expect(rows.filter(({ source }) => source.includes('Cap.'))).toEqual([]);
    expect(rows.filter(({ name: of }) => of === 'General Elections').map(({ date, source }) => [date, source])).toEqual(
      ['2026-01-15', '2026-01-16'].map((date) => [
        date,
        'Legal notice of 8 January 2026 under the Public Holidays Act, 1965 (press, 10 January 2026)',
      ]),
    );
  });
  await dropDatabase(name);
});
