import type { FastifyRequest } from 'fastify';
import { readUsername } from '#contract/accounts/username.ts';
import type { Config } from '#server/config/config.ts';
import { DEMONSTRATION_PASSWORD, demonstrationLogins } from '#server/demonstration/people.ts';
import { AppError } from '#server/http/app-error.ts';
import { isFromThisMachine } from '#server/installation/this-machine.ts';

/**
 * The demonstration's logins stand in README: they work on the machine that runs it alone, unless it is meant for others.
 * Throws DEMONSTRATION_LOCAL. It says nothing of accounts: what it refuses is published.
 */
export function refuseDemonstrationAbroad(
  { demonstrationForOthers }: Config,
  request: FastifyRequest,
  { username, password }: { readonly username: string; readonly password: string },
): void {
  if (demonstrationForOthers || password !== DEMONSTRATION_PASSWORD || isFromThisMachine(request)) return;
  const meant = readUsername(username)?.value;
  if (demonstrationLogins.some((login) => login.username === meant)) throw new AppError('DEMONSTRATION_LOCAL');
}
