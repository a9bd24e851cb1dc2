import { z } from 'zod';

/**
 * The typed sign-up form without the password: the policies open in a new tab, and a phone may drop this one. The tab
 * keeps it, so that the next person at a shared computer does not find it.
 */
const signupDraft = z.object({
  phoneOrEmail: z.string(),
  gender: z.string().nullable(),
  industryId: z.string(),
  districtId: z.string(),
});

export type SignupDraft = z.output<typeof signupDraft>;

/** The key in the tab's storage; the cookie policy explains it. */
const KEY = 'SIGN_UP';

/** What was typed before a reload, if anything. */
export function readSignupDraft(): SignupDraft | undefined {
  try {
    return signupDraft.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null')).data;
  } catch {
    return undefined;
  }
}

export function keepSignupDraft({ phoneOrEmail, gender, industryId, districtId }: SignupDraft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ phoneOrEmail, gender, industryId, districtId }));
  } catch {
    // Full or blocked: a reload then starts empty, and nothing else is lost.
  }
}

/** The sign-up is finished; until the PIN was right somebody may still come back to mend a phone number. */
export function endSignupDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Closed to us: nothing was stored there either.
  }
}
