/** A sign-up that is never confirmed is removed after so many days. */
export const UNCONFIRMED_SIGN_UP_DAYS = 30;
