/** What a simulator writes before its address once it serves. */
export const READY = 'ready ';
