/**
 * Runs work concurrently, such as reads that are sent to PostgreSQL together (docs/decisions/0039-one-road.md), and
 * returns when all of it is done. If several parts fail it throws the failure of the first, in the order given.
 */
export async function together<Results extends readonly unknown[]>(
  ...work: { readonly [Part in keyof Results]: Promise<Results[Part]> | Results[Part] }
): Promise<Results> {
  await Promise.allSettled(work);
  const results: unknown[] = [];
  for (const part of work) results.push(await part);
  return results as unknown as Results; // in the given order
}
