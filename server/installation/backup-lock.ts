/**
 * The advisory lock of a running backup (docs/decisions/0018-backup.md). While it is held, no document's file is
 * removed from the store (documents/store/stored-files.queries.ts).
 */
export const BACKUP_LOCK = 'kasente backup';
