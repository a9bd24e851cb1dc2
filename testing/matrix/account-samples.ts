import { TEST_PASSWORD, uniquePhone } from '#testing/builders.ts';
import { owned, rowless, unusable } from './matrix-answers.ts';
import type { Sample } from './matrix-rows.ts';

/** The calls of the permission matrix about accounts: sign-up and login, sessions, passwords, second factors. */

const unknownHandle = 'x'.repeat(43);

export const accountSamples = {
  login: {
    who: 'public',
    request: async () => ({ body: { username: uniquePhone(), password: 'wrong' } }),
    own: 401,
    foreign: 401,
    absent: 401,
  },
  logout: { who: 'public', ...rowless },
  session: { who: 'session', ...rowless },
  finishLogin: {
    who: 'public',
    request: async () => ({ body: { handle: unknownHandle, code: '123456' } }),
    ...unusable,
  },
  secondFactor: { who: 'staff', ...rowless },
  beginSecondFactor: { who: 'staff', request: async () => ({ body: { password: TEST_PASSWORD } }), ...rowless },
  confirmSecondFactor: { who: 'staff', request: async () => ({ body: { code: '123456' } }), ...unusable },
  listSessions: { who: 'session', ...rowless },
  endSession: {
    who: 'session',
    request: async (rows) => ({ params: { tag: await rows.session() }, body: { password: TEST_PASSWORD } }),
    ...owned,
  },
  endOtherSessions: { who: 'session', request: async () => ({ body: { password: TEST_PASSWORD } }), ...rowless },
  changePassword: {
    who: 'session',
    request: async () => ({ body: { password: 'not the password', newPassword: 'Matrix-pass-9' } }),
    ...unusable,
  },
  register: {
    who: 'public',
    request: async () => ({
      body: { phone: uniquePhone(), password: 'Matrix-pass-9', gender: 'female', industryId: 1, districtId: 1 },
    }),
    ...rowless,
  },
  verifyUsername: {
    who: 'public',
    request: async () => ({ body: { userTag: unknownHandle, pin: '12345' } }),
    ...unusable,
  },
  resendPin: { who: 'public', request: async () => ({ body: { userTag: unknownHandle } }), ...unusable },
  requestReset: { who: 'public', request: async () => ({ body: { username: uniquePhone() } }), ...rowless },
  verifyReset: {
    who: 'public',
    request: async () => ({ body: { userTag: unknownHandle, pin: '12345' } }),
    ...unusable,
  },
  doReset: {
    who: 'public',
    request: async () => ({ body: { otpTag: unknownHandle, newPassword: 'Matrix-pass-9' } }),
    ...unusable,
  },
} as const satisfies Record<string, Sample>;
