import { userInfo } from 'node:os';
import type { Caller } from '#server/calls/caller.ts';
import type { Platform } from '#server/platform/platform.ts';

/** A command's actor in the audit log: the machine's user instead of a person. */
export function operatorOf({ clock }: Platform, tool: 'user' | 'backup'): Caller<null> {
  const { uid, username } = machineUser();
  return {
    person: null,
    now: clock.now(),
    ip: 'command line',
    requestId: `npm run ${tool}, by ${username} (uid ${uid})`,
    idempotencyKey: undefined,
  };
}

/** A container's user may have no name. */
function machineUser(): { readonly uid: number; readonly username: string } {
  try {
    return userInfo();
  } catch {
    return { uid: process.getuid?.() ?? -1, username: 'a user without a name' };
  }
}
