import type { LoginReply } from '#contract/accounts/schema.ts';
import { roleNames } from '#contract/permissions.ts';
import type { Config } from '#server/config/config.ts';
import { appVersion } from '#server/config/version.ts';
import type { SessionPerson } from '#server/sessions/sessions.ts';

type Shown = Pick<
  SessionPerson,
  'tag' | 'username' | 'firstName' | 'lastName' | 'businessName' | 'businessTag' | 'perms'
>;

/** The login answer, which carries nothing that lets anyone in (decisions, 'The wire'). */
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
