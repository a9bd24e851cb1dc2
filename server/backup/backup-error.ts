/** What keeps a backup or a restore from being done: a sentence that says what to do about it. */
export class BackupError extends Error {}
