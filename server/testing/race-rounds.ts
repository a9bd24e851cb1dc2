/** How many rounds each race is run: a few in the tests, as many as `node scripts/prove-races.ts` was asked for there. */
export const RACE_ROUNDS = Number(process.env.RACE_ROUNDS ?? 5);
