/**
 * What a person reads where the server has no time, or where what answers is not the server at all. Beside the catalogue
 * (errors.ts), because the login screen's script needs this one text of it.
 */
export const BUSY = 'Kasente is busy or restarting. Try again in a moment';
