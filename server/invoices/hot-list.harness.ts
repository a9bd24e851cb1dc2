import type { TestApp } from '#server/testing/test-app.ts';

/** What the tests of lists at once look at: which way a page took. A fast way alone sends its statement to the pool itself. */

/** Does work with the fast way shut: every page goes the general way. */
export async function generally<Result>({ platform: { pool } }: TestApp, work: () => Promise<Result>): Promise<Result> {
  Reflect.set(pool, 'query', async () => ({ rows: [] }));
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(pool, 'query');
  }
}

/** Does work and counts the fast ways' statements that found the page, and those that left it to the general way. */
export async function countingWays<Result>(
  { platform: { pool } }: TestApp,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly fast: number; readonly left: number }> {
  const query = pool.query.bind(pool);
  const answers: { readonly rows: readonly unknown[] }[] = [];
  const watch = async (statement: { readonly name: string; readonly text: string; readonly values: unknown[] }) => {
    const answer = await query(statement);
    answers.push(answer);
    return answer;
  };
  Reflect.set(pool, 'query', watch);
  try {
    const result = await work();
    const fast = answers.filter(({ rows }) => rows.length > 0).length;
    return { result, fast, left: answers.length - fast };
  } finally {
    Reflect.deleteProperty(pool, 'query');
  }
}
