/** The reply of a call that only reports success. */
export const done = { success: true } as const;
export type Done = typeof done;

/** The reply of a call that returns the thing it created or changed. */
export async function doneWith<Data>(made: Promise<Data>): Promise<Done & { readonly data: Data }> {
  return { ...done, data: await made };
}
