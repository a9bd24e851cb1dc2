/** The states of an application and the steps between them (specification, section 4): one table. */

export const statuses = ['Draft', 'Submitted'] as const;
export type Status = (typeof statuses)[number];

/** Who may take a step. */
export type StepTaker = 'client';

interface Step {
  readonly from: readonly Status[];
  readonly to: Status;
  readonly by: StepTaker;
}

export const steps = {
  submit: { from: ['Draft'], to: 'Submitted', by: 'client' },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof steps;

/** Whether the step may be taken in that state. */
export function stepAllowed(name: StepName, from: Status): boolean {
  const allowed: readonly Status[] = steps[name].from;
  return allowed.includes(from);
}

/** Whether the client may still change invoice, application and documents: only while it is a draft. */
export function isEditable(status: Status): boolean {
  return status === 'Draft';
}
