import { z } from 'zod';

/**
 * The typed sign-up form without the password: the policies open in a new tab, and a phone may drop this one. Kept in
 * the tab's storage, so that the next person at a shared computer does not find it.
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
    // Storage is full or blocked: a reload then starts empty, and nothing else is lost.
  }
}

/** Called when the sign-up is finished. Until the PIN is right the person may come back to correct a phone number. */
export function endSignupDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing was stored there either.
  }
}
