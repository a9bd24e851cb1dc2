import { ApiFailure } from '#web/platform/api/api.ts';

/** Why there is nothing left to do with a document: it was submitted elsewhere meanwhile, or deleted. Undefined for other failures. */
export function whyGone(error: unknown): string | undefined {
  const isGone = error instanceof ApiFailure && (error.code === 'NOT_EDITABLE' || error.code === 'NOT_FOUND');
  return isGone ? error.message : undefined;
}
