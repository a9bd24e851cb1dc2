import { recordOf } from '#web/platform/record.ts';

/**
 * Rows stored on the device for each person, such as typing that the server doesn't have yet. They are in IndexedDB
 * because Chromium writes local storage to disk only seconds later, so a killed browser loses it. A committed row is on
 * the disk at once (docs/decisions/0026-work-on-a-bad-line.md).
 */

const DATABASE = 'kasente';
const TABLE = 'unsaved-typing';

type Key = readonly [userTag: string, id: string];

let opened: Promise<IDBDatabase> | undefined;
/** The database once it is open, so that a row can be written without waiting. */
let database: IDBDatabase | undefined;

/** Rows that the device refused, held in memory while this page lives. */
const refused = new Map<string, { readonly key: Key; readonly row: unknown }>();

/**
 * Stores a row, replacing the one with that id. Returns false if it is only in this page's memory, because storage is
 * full or blocked.
 */
export async function keepRow(userTag: string, id: string, row: unknown): Promise<boolean> {
  const key: Key = [userTag, id];
  try {
    await write(database ?? (await open()), (table) => table.put({ id, row }, [...key]));
    refused.delete(key.join());
    return true;
  } catch (error) {
    if (refused.size === 0) console.warn('the device keeps nothing', error);
    refused.set(key.join(), { key, row });
    return false;
  }
}

/** Deletes a row. */
export async function dropRow(userTag: string, id: string): Promise<void> {
  refused.delete([userTag, id].join());
  await drop([userTag, id]);
}

/** Deletes all rows of a person. */
export async function dropRows(userTag: string): Promise<void> {
  for (const [id, { key }] of refused) if (key[0] === userTag) refused.delete(id);
  await drop(rowsOf(userTag));
}

async function drop(which: IDBValidKey | IDBKeyRange): Promise<void> {
  try {
    await write(database ?? (await open()), (table) => table.delete(which));
  } catch {
    // Storage is blocked, so nothing was stored there either.
  }
}

/** All keys after [userTag] and before [userTag, <an array>], which sorts after every text. */
function rowsOf(userTag: string): IDBKeyRange {
  return IDBKeyRange.bound([userTag], [userTag, []]);
}

/** All rows of that person only. */
export async function readRows(userTag: string): Promise<unknown[]> {
  const here = [...refused.values()].filter(({ key }) => key[0] === userTag);
  const ids = new Set(here.map(({ key }) => key[1]));
  const kept = await readKept(userTag).catch(() => []);
  return [...kept.filter(({ id }) => typeof id !== 'string' || !ids.has(id)), ...here].map(({ row }) => row);
}

async function readKept(userTag: string): Promise<Readonly<Record<string, unknown>>[]> {
  const table = (database ?? (await open())).transaction(TABLE).objectStore(TABLE);
  const rows: unknown[] = await answerOf(table.getAll(rowsOf(userTag)));
  return rows.map(recordOf);
}

function open(): Promise<IDBDatabase> {
  opened ??= connect().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function connect(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
  const connected = await answerOf(request);
  const forget = (): void => {
    opened = undefined;
    database = undefined;
  };
  // The person cleared this site's data, or another tab opens a newer version.
  connected.onclose = forget;
  connected.onversionchange = () => {
    connected.close();
    forget();
  };
  database = connected;
  return connected;
}

/** Starts a change at once. It is on the disk when this resolves. */
function write(connected: IDBDatabase, act: (table: IDBObjectStore) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = connected.transaction(TABLE, 'readwrite', { durability: 'strict' });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the device refused'));
    act(transaction.objectStore(TABLE));
    // Right now, because the page may not live until its next idle time.
    transaction.commit();
  });
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the device refused'));
  });
}
