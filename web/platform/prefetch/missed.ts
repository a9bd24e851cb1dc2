import { keyOf } from '#web/platform/api/query-key.ts';
import type { Question } from '#web/platform/api/question.ts';
import { promised } from './prefetched.ts';

/**
 * Logs an error to the console if the screen's first request to an endpoint differs from the one that its route
 * prefetched. A journey with such an error fails (e2e/support/complaints.ts).
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
