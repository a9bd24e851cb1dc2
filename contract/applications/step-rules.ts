import { type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { type Status, type StepName, stepAllowed, steps } from './lifecycle.ts';

/** The conditions that the table of steps sets for every step (./lifecycle.ts). */

/** A case, and the person who would take a step on it. */
export interface Assignment {
  readonly status: Status;
  readonly assigneeId: number | null;
  /** Null for Kasente itself. */
  readonly me: number | null;
}

/** The table allows this step in the case's status. */
export function allows(step: StepName): Rule<Pick<Assignment, 'status'>> {
  return ({ status }) => (stepAllowed(step, status) ? undefined : { code: 'STEP_NOT_ALLOWED' });
}

/** Nobody else has the case. An officer who decides an unassigned case takes it with the decision. */
export const isFreeOrMine: Rule<Assignment> = ({ assigneeId, me }) =>
  assigneeId === null || assigneeId === me ? undefined : { code: 'CASE_TAKEN' };

/** The case is the officer's: it cannot be unassigned, as it can for a decision. */
export const isAssignee: Rule<Assignment> = (assignment) =>
  assignment.assigneeId === null ? { code: 'CASE_NOT_TAKEN' } : isFreeOrMine(assignment);

/** Why the table of steps does not let this person take the step. */
export function refusalsToTake(step: StepName, assignment: Assignment): Refusal[] {
  return refusalsBy([...(steps[step].by === 'assignee' ? [isFreeOrMine] : []), allows(step)], assignment);
}
