/** The prefix of the address that a simulator prints when it is ready. */
export const READY = 'ready ';
