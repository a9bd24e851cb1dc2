/** Days until an unconfirmed sign-up is removed. */
export const UNCONFIRMED_SIGN_UP_DAYS = 30;
