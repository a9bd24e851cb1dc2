import { ApiFailure } from '#web/platform/api/api.ts';

/**
 * Why a document can no longer be changed: the application was submitted elsewhere, or the document was deleted.
 * Undefined for other failures.
 */
export function whyGone(error: unknown): string | undefined {
  const isGone = error instanceof ApiFailure && (error.code === 'NOT_EDITABLE' || error.code === 'NOT_FOUND');
  return isGone ? error.message : undefined;
}
