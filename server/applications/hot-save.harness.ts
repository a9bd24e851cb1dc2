import type { TestApp } from '#server/testing/test-app.ts';

/** What the tests of saves at once look at: which way a save took. */

/** Does work with the fast ways shut: every save goes the general way. */
export async function generally<Result>({ platform: { pool } }: TestApp, work: () => Promise<Result>): Promise<Result> {
  Reflect.set(pool, 'query', async () => ({ rows: [] }));
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(pool, 'query');
  }
}

/** Does work and counts the statements of fast ways that did what was asked, and those that left it to the general way. */
export async function countingWays<Result>(
  { platform: { pool } }: TestApp,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly fast: number; readonly left: number }> {
  const query = pool.query.bind(pool);
  const counted = { fast: 0, left: 0 };
  const watch = async (statement: { readonly name: string; readonly text: string; readonly values: unknown[] }) => {
    const failed = (error: unknown): never => {
      counted.left += 1;
      throw error;
    };
    const answer = await query(statement).catch(failed);
    counted[answer.rows.length > 0 ? 'fast' : 'left'] += 1;
    return answer;
  };
  Reflect.set(pool, 'query', watch);
  try {
    const result = await work();
    return { result, ...counted };
  } finally {
    Reflect.deleteProperty(pool, 'query');
  }
}
