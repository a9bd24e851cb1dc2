/** Why a backup or restore can't be done. The message says what to do. */
export class BackupError extends Error {}
