/**
 * Does work at once, such as reads that are sent to PostgreSQL together (docs/decisions/0039-one-road.md), and answers when all of it
 * is done. Where several parts fail it throws what the first of them failed with, in the order in which they stand here.
 */
export async function together<Results extends readonly unknown[]>(
  ...work: { readonly [Part in keyof Results]: Promise<Results[Part]> | Results[Part] }
): Promise<Results> {
  await Promise.allSettled(work);
  const results: unknown[] = [];
  for (const part of work) results.push(await part);
  return results as unknown as Results; // in the order of the work
}
