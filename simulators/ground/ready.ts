/** A simulator writes this before its address once it serves. */
export const READY = 'ready ';
