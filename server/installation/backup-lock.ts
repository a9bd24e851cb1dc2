/**
 * The advisory lock of a backup that is being made (docs/decisions/0018-backup.md): while somebody holds it, no document's
 * file is removed from the store (documents/store/stored-files.queries.ts).
 */
export const BACKUP_LOCK = 'kasente backup';
