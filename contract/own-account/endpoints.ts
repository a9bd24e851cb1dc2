import { z } from 'zod';
import { loginReply } from '#contract/accounts/schema.ts';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, success } from '#contract/fields.ts';
import {
  beginSecondFactorBody,
  begunSecondFactor,
  changePasswordForm,
  confirmedSecondFactor,
  confirmSecondFactorBody,
  endSessionsBody,
  ownSession,
  secondFactorReply,
  secondStepBody,
} from './schema.ts';

/** The caller's own account, and the second step of a login (docs/decisions/0017-second-factor.md). */
export const ownAccountEndpoints = {
  finishLogin: endpoint({
    method: 'POST',
    path: '/users/second_factor',
    summary: 'Finish a login that asked for a second factor',
    body: secondStepBody,
    reply: loginReply,
    needs: 'public',
  }),
  secondFactor: endpoint({
    method: 'GET',
    path: '/users/second_factor',
    summary: "How the caller's second factor stands",
    reply: secondFactorReply,
    needs: 'account.secondFactor',
    beforeSecondFactor: true,
  }),
  beginSecondFactor: endpoint({
    method: 'POST',
    path: '/users/second_factor/begin',
    summary: 'A new secret for an authenticator app; the one in use stays until the new one is confirmed',
    body: beginSecondFactorBody,
    reply: begunSecondFactor,
    needs: 'account.secondFactor',
    beforeSecondFactor: true,
    ownQueue: true,
  }),
  confirmSecondFactor: endpoint({
    method: 'POST',
    path: '/users/second_factor/confirm',
    summary: 'Take the new secret into use by its first code; ends every other session of the caller',
    body: confirmSecondFactorBody,
    reply: confirmedSecondFactor,
    needs: 'account.secondFactor',
    beforeSecondFactor: true,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/users/sessions',
    summary: "The caller's sessions, the one at hand first",
    reply: z.array(ownSession),
    needs: 'session',
  }),
  endSession: endpoint({
    method: 'POST',
    path: '/users/sessions/:tag/end',
    summary: "End one of the caller's sessions",
    params: byTag,
    body: endSessionsBody,
    reply: success,
    needs: 'session',
    ownQueue: true,
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/users/sessions/end_others',
    summary: "End every session of the caller's but the one at hand",
    body: endSessionsBody,
    reply: success,
    needs: 'session',
    ownQueue: true,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/users/password',
    summary: 'Change the own password; ends every other session of the caller',
    body: changePasswordForm,
    reply: success,
    needs: 'session',
    ownQueue: true,
  }),
} as const;
