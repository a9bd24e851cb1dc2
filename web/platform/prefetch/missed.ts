import { keyOf } from '#web/platform/api/query-key.ts';
import type { Question } from '#web/platform/api/question.ts';
import { promised } from './prefetched.ts';

/**
 * Complains in the console if the screen asks an endpoint something else first than what its route had prefetched. A journey
 * with a complaint fails (e2e/support/complaints.ts).
 */
export function complainIfMissed(question: Question): void {
  const { endpoint } = question;
  const expected = textOf(promised.get(endpoint) ?? question);
  promised.delete(endpoint);
  if (textOf(question) !== expected) console.error(`prefetched ${expected}, asked ${textOf(question)}`);
}

function textOf({ endpoint, ...asked }: Question): string {
  return JSON.stringify(keyOf(endpoint, asked));
}
