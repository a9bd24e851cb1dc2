/** The reply of a call that has nothing to tell but that it was done. */
export const done = { success: true } as const;
export type Done = typeof done;
