import { readFileSync, writeFileSync } from 'node:fs';
import { migrate } from '#server/migrations/migrate.ts';
import { openDatabase } from '#server/platform/database.ts';
import { pageStatement } from '#server/invoices/invoice-page.statements.ts';
const { db, close } = openDatabase(JSON.parse(readFileSync(`/dev/shm/list/conn${process.argv[2]}.json`, 'utf8')), () => undefined);
await migrate(db);
await close();
for (const whose of ['all', 'own', 'named'] as const) for (const isFar of [false, true]) for (const sort of ['date', '-date', '-applied'] as const)
  writeFileSync(`/dev/shm/list/${whose}_${isFar ? 'far' : 'near'}_${sort}.sql`, 'with ' + pageStatement({ whose, sort, hasStatus: false, isFar, size: 10 }, 1));
