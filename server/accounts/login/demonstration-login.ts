import type { FastifyRequest } from 'fastify';
import { normalizePassword } from '#contract/accounts/password.ts';
import { readUsername } from '#contract/accounts/username.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Config } from '#server/config/config.ts';
import { DEMONSTRATION_PASSWORD, demonstrationLogins } from '#server/config/demonstration-people.ts';
import { isFromThisMachine } from '#server/machine/this-machine.ts';

/**
 * The demonstration's passwords are in the README, so its accounts work only on the machine that runs it, unless it is
 * meant for others. Throws DEMONSTRATION_LOCAL, which reveals nothing because these accounts are published.
 */
export function refuseDemonstrationAbroad(
  { demonstrationForOthers }: Config,
  request: FastifyRequest,
  { username, password }: { readonly username: string; readonly password: string },
): void {
  if (demonstrationForOthers || isFromThisMachine(request)) return;
  if (normalizePassword(password) !== DEMONSTRATION_PASSWORD) return;
  const meant = readUsername(username)?.value;
  if (demonstrationLogins.some((login) => login.username === meant)) throw new AppError('DEMONSTRATION_LOCAL');
}
