import type { LoginReply } from '#contract/accounts/schema.ts';
import type { OwnSession } from '#contract/own-account/schema.ts';
import { roleNames } from '#contract/permissions.ts';
import { deviceName } from '#server/accounts/login/device-name.ts';
import type { SessionPerson } from '#server/calls/caller.ts';
import type { Config } from '#server/config/config.ts';
import { appVersion } from '#server/machine/version.ts';
import type { selectSessions } from '#server/sessions/sessions.ts';

type Shown = Pick<
  SessionPerson,
  'tag' | 'username' | 'firstName' | 'lastName' | 'businessName' | 'businessTag' | 'perms'
>;

/** A row of `selectSessions`. */
type ListedSession = Awaited<ReturnType<typeof selectSessions>>[number];

/** The reply to a login. Nothing in it grants access. */
export function presentLogin(person: Shown, config: Config): LoginReply {
  return {
    success: true,
    user: {
      tag: person.tag,
      username: person.username,
      firstName: person.firstName,
      lastName: person.lastName,
      bizName: person.businessName,
      bizTag: person.businessTag,
      perms: [...person.perms],
      roles: person.perms.map((code) => roleNames[code]),
      clientUITimeoutMinutes: config.sessionIdleMinutes,
      appVersion,
    },
  };
}

/** Presents one of the person's own sessions. */
export function presentSession(
  session: ListedSession,
  { sessionHash }: Pick<SessionPerson, 'sessionHash'>,
): OwnSession {
  return {
    tag: session.tag,
    device: deviceName(session.user_agent),
    ip: session.ip,
    since: session.created_at.toISOString(),
    lastActive: session.last_active_at.toISOString(),
    current: session.token_hash.equals(sessionHash),
  };
}
