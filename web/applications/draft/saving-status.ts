import type { SaveStatus } from '#web/ui/forms/save-state.tsx';
import { type AutosaveState, isPassing } from './autosave.ts';
import type { Keeping } from './draft-saving.ts';

interface Situation {
  readonly state: AutosaveState;
  readonly stale: boolean;
  readonly unsaved: boolean;
  readonly keeping: Keeping;
  /** The server has this invoice. */
  readonly exists: boolean;
  /** Why the forms cannot be saved; undefined if they can. */
  readonly problem: string | undefined;
  readonly retry: () => void;
  /** Opens the choice between two versions. */
  readonly choose: () => void;
}

/**
 * The state of saving, in words for the person. Unsent typing is never called saved without saying where it is saved.
 */
export function savingStatus({ state, stale, unsaved, keeping, exists, problem, ...wayOut }: Situation): SaveStatus {
  if (stale)
    return { kind: 'failed', reason: 'this was changed elsewhere', wayOut: { label: 'Choose', act: wayOut.choose } };
  if (state.phase === 'saving') return { kind: 'saving' };
  const { failure } = state;
  const retry = { label: 'Try again', act: wayOut.retry };
  // A refused value is not sent again unchanged.
  if (failure !== undefined && !isPassing(failure)) return { kind: 'failed', reason: failure.message };
  if (failure !== undefined && keeping === 'kept') return { kind: 'kept', reason: failure.message, wayOut: retry };
  if (failure !== undefined) return { kind: 'failed', reason: failure.message, wayOut: retry };
  if (unsaved && keeping === 'refused')
    return { kind: 'failed', reason: 'there is no room for it here. Leave this page open until it is saved' };
  if (unsaved && keeping === undefined) return { kind: 'saving' };
  if (unsaved) return { kind: 'kept', ...(problem === undefined ? {} : { reason: problem }) };
  if (!exists) return { kind: 'untouched' };
  return { kind: 'saved', ...(state.savedAt ? { at: state.savedAt } : {}) };
}
