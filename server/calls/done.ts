/** The reply of a call that has nothing to tell but that it was done. */
export const done = { success: true } as const;
export type Done = typeof done;

/** The reply of a call that makes or changes something, and tells what. */
export async function doneWith<Data>(made: Promise<Data>): Promise<Done & { readonly data: Data }> {
  return { ...done, data: await made };
}
