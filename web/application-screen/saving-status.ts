import type { SaveStatus } from '#web/ui/save-state.tsx';
import { type AutosaveState, isPassing } from './autosave.ts';

interface Situation {
  readonly state: AutosaveState;
  readonly stale: boolean;
  readonly unsaved: boolean;
  /** The server has this invoice. */
  readonly exists: boolean;
  /** What keeps the forms from being saved, if anything does. */
  readonly problem: string | undefined;
  readonly retry: () => void;
  /** Leads to the question which of two versions stands. */
  readonly choose: () => void;
}

/** Where saving stands, in words for the person. What is typed and not saved is never called saved. */
export function savingStatus({ state, stale, unsaved, exists, problem, ...wayOut }: Situation): SaveStatus {
  if (stale)
    return { kind: 'failed', reason: 'this was changed elsewhere', wayOut: { label: 'Choose', act: wayOut.choose } };
  if (state.phase === 'saving') return { kind: 'saving' };
  if (state.failure !== undefined) {
    const reason = state.failure.message;
    // What was refused is not sent again as it is.
    return {
      kind: 'failed',
      reason,
      ...(isPassing(state.failure) ? { wayOut: { label: 'Retry', act: wayOut.retry } } : {}),
    };
  }
  if (unsaved) return problem === undefined ? { kind: 'saving' } : { kind: 'incomplete', reason: problem };
  if (!exists) return { kind: 'untouched' };
  return { kind: 'saved', ...(state.savedAt ? { at: state.savedAt } : {}) };
}
