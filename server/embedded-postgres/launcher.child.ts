import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

/**
 * A small server that the launcher's tests kill. It opens the database in argv[2] and reports on stdout, one JSON
 * object per line. If argv[3] is 'insert', it writes rows in an endless loop and acknowledges each once it is
 * committed. On SIGINT or SIGTERM it writes one last row and stops in an orderly way. Further arguments are folders for
 * `openFolders`.
 */
const [, , dataDir = '', task = 'hold', ...openFolders] = process.argv;
const WRITERS = 4;

function say(message: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function insertForEver(pool: pg.Pool): Promise<never> {
  for (;;) say({ acknowledged: await insertOne(pool) });
}

async function insertOne(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('insert into kept default values returning id');
  return rows[0]?.id ?? 0;
}

async function stopInOrder(postgres: EmbeddedPostgres, pool: pg.Pool): Promise<void> {
  const slow = 'insert into kept select from pg_sleep(0.2) returning id'; // still running if PostgreSQL stops as well
  say({ last: (await pool.query<{ id: number }>(slow)).rows[0]?.id });
  await pool.end();
  await postgres.stop();
  say({ stopped: true });
  process.exit(0);
}

try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    openFolders,
    log: (line) => say({ log: line }),
    onExit: (error) => say({ lost: error.message }),
  });
  const pool = new pg.Pool({ ...postgres.connection, max: WRITERS });
  pool.on('error', () => {}); // onExit reports it
  await pool.query('create table if not exists kept (id int generated always as identity primary key)').catch(() => {
    // Another child created it at the same time.
  });
  const { rows } = await pool.query<{ ids: number[] }>(`select coalesce(array_agg(id), '{}') as ids from kept`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stopInOrder(postgres, pool));
  say({ ready: true, owner: postgres.owner, kept: rows[0]?.ids ?? [], socketFolder: postgres.connection.host });
  if (task === 'insert') await Promise.all(Array.from({ length: WRITERS }, () => insertForEver(pool)));
} catch (error) {
  say({
    error: error instanceof Error ? error.message : String(error),
    name: error instanceof Error ? error.name : '',
  });
  process.exit(1);
}
