import type { OwnSession } from '#contract/own-account/schema.ts';
import { deviceName } from '#server/accounts/login/device-name.ts';
import { orNotFound } from '#server/calls/app-error.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Context } from '#server/platform/work.ts';
import { endSessions, selectSessions } from '#server/sessions/sessions.ts';
import { presentSession } from './accounts.presenter.ts';
import { deleteOwnSession } from './accounts.queries.ts';

/** Far more than anyone has by using the product. */
const SESSIONS_SHOWN = 100;

/** The caller's live sessions: the current one, then the others, most recently active first. */
export async function listOwnSessions({ platform, caller: { person } }: Context): Promise<OwnSession[]> {
  const sessions = await selectSessions(platform, person.id, SESSIONS_SHOWN);
  const shown = sessions.map((session) => presentSession(session, person));
  return [...shown.filter(({ current }) => current), ...shown.filter(({ current }) => !current)];
}

/** Ends one of the caller's sessions. Throws NOT_FOUND if it is somebody else's or has ended. */
export async function endOwnSession({ platform, caller }: Context, tag: string): Promise<void> {
  await platform.db.inTransaction(async (change) => {
    const ended = orNotFound(await deleteOwnSession(change, caller.person.id, tag));
    recordEvent({ change, caller }, 'account.session-ended', ['person', caller.person.tag], {
      before: { session: ended.tag, device: deviceName(ended.user_agent), ip: ended.ip },
    });
  });
}

/** Ends every session of the caller except the current one. */
export async function endOtherSessions({ platform, caller }: Context): Promise<void> {
  await platform.db.inTransaction(async (change) => {
    await endSessions(change, caller.person.id, caller.person.sessionHash);
    recordEvent({ change, caller }, 'account.other-sessions-ended', ['person', caller.person.tag]);
  });
}
