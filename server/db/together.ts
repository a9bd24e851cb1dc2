/**
 * Runs work concurrently, such as reads that are sent to PostgreSQL together (docs/decisions/0039-one-road.md). Waits
 * until all parts are done. If any fail, it throws the failure of the first one in the given order.
 */
export async function together<Results extends readonly unknown[]>(
  ...work: { readonly [Part in keyof Results]: Promise<Results[Part]> | Results[Part] }
): Promise<Results> {
  await Promise.allSettled(work);
  const results: unknown[] = [];
  for (const part of work) results.push(await part);
  return results as unknown as Results; // in the given order
}

/** Like {@link together} with named parts, for the facts of a decision: `await gather({ invoice: …, room: … })`. */
export async function gather<Facts extends Readonly<Record<string, unknown>>>(
  reads: {
    readonly [Name in keyof Facts]: Promise<Facts[Name]> | Facts[Name];
  },
): Promise<Facts> {
  const names = Object.keys(reads);
  const found = await together(...Object.values<unknown>(reads));
  return Object.fromEntries(names.map((name, index) => [name, found[index]])) as Facts; // with the same names
}
