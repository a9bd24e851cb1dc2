/**
 * The message shown if the server is too busy, or if something other than the server replies. It is not in errors.ts
 * because the login screen's script needs only this text.
 */
export const BUSY = 'Kasente is busy or restarting. Try again in a moment';
