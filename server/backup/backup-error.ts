/** Why a backup or restore cannot be done; the message says what to do. */
export class BackupError extends Error {}
