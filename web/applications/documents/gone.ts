import { ApiFailure } from '#web/platform/api/api.ts';

/** Why a document can no longer be changed: it was submitted elsewhere, or deleted. Undefined for other failures. */
export function whyGone(error: unknown): string | undefined {
  const isGone = error instanceof ApiFailure && (error.code === 'NOT_EDITABLE' || error.code === 'NOT_FOUND');
  return isGone ? error.message : undefined;
}
