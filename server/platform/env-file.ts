import { loadEnvFile } from 'node:process';

/** Settings may stand in a file `.env`; what the environment says goes before it. */
export function readEnvFile(): void {
  try {
    loadEnvFile();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
