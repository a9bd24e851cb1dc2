import { readFileSync, writeFileSync } from 'node:fs';
import { pageStatement } from '#server/invoices/invoice-page.queries.ts';
import { migrate } from '#server/migrations/migrate.ts';
import { openDatabase } from '#server/platform/database.ts';
import { hotStatement } from '#server/platform/hot-session.ts';

const { db, close } = openDatabase(
  JSON.parse(readFileSync(`/dev/shm/list/conn${process.argv[2]}.json`, 'utf8')),
  () => undefined,
);
await migrate(db);
await close();
for (const whose of ['all', 'own', 'named', 'hot all', 'hot named'] as const)
  for (const isFar of [false, true])
    for (const sort of ['date', '-date', '-applied'] as const) {
      const shape = { whose, sort, hasStatus: false, isFar, size: 10 };
      const text = whose.startsWith('hot')
        ? hotStatement(pageStatement(shape, 7)).text
        : 'with ' + pageStatement(shape, 1);
      writeFileSync(`/dev/shm/list/${whose.replace(' ', '-')}_${isFar ? 'far' : 'near'}_${sort}.sql`, text);
    }
