import {
  mayUpload,
  type StepName,
  statusAfter,
  statuses,
  stepAllowed,
  steps,
} from '#contract/applications/lifecycle.ts';
import type { Approval } from '#contract/desk/rules.ts';
import type { Columns } from './replay.ts';

/**
 * Rules that Kasente enforces before it records anything (docs/decisions/0015-audit-chain.md). A log that breaks one
 * was not written by Kasente. Returns one sentence for each broken rule.
 */

/** A step as recorded. */
interface LoggedStep {
  readonly name: StepName;
  readonly to: string;
  readonly by: string | null;
  /** For a repeated approval: which of the two it replaces. */
  readonly approval: Approval;
}

/** The objections to a step, given the invoice before it. */
export function stepFaults(step: LoggedStep, invoice: Columns, paysByRules: boolean): string[] {
  const faults = [...stateFaults(step, invoice), ...takerFaults(step, invoice), ...approverFaults(step, invoice)];
  if (paysByRules && step.name === 'disburse' && isOnlyApprover(step, invoice))
    faults.push('taken by the only officer who approved');
  return faults.map((fault) => `${step.name}: ${fault}`);
}

function stateFaults({ name, to }: LoggedStep, { status: from = null }: Columns): string[] {
  const known = statuses.find((status) => status === from);
  const leadsTo = known === undefined ? steps[name].to : statusAfter(name, known);
  return [
    ...(known === undefined || !stepAllowed(name, known) ? [`recorded in ${from}, which does not allow it`] : []),
    ...(to === leadsTo ? [] : [`recorded as leading to ${to}, but it leads to ${leadsTo}`]),
  ];
}

/** The log of an invoice doesn't show who was an officer or belonged to the business. */
function takerFaults({ name, by }: LoggedStep, invoice: Columns): string[] {
  const isSystem = steps[name].by === 'system';
  if (by === null) return isSystem || 'orSystem' in steps[name] ? [] : ['recorded without a person'];
  const { holder = null, first_approved_by: first = null, submitted_by: submitter = null } = invoice;
  switch (steps[name].by) {
    case 'client':
    case 'none': // accompanies an act of a client
      return by === holder || by === first ? ['taken by an officer of the case; only the client may take it'] : [];
    case 'system':
      return ['taken by a person; only Kasente may take it'];
    case 'assignee':
      return by === holder ? [] : ['taken by somebody to whom the case was not assigned'];
    case 'officer':
      if (by === submitter) return ['taken by the person who submitted the application; only an officer may take it'];
      return name === 'sendBack' && by !== holder && by !== first
        ? ['taken by somebody to whom the case was not assigned']
        : [];
  }
}

function approverFaults({ name, by, approval }: LoggedStep, invoice: Columns): string[] {
  const { first_approved_by: first, decided_by: decided } = invoice;
  const isFirst = name === 'approveAgain' && approval === 'first';
  const other = name !== 'approve' && name !== 'approveAgain' ? null : isFirst ? decided : first;
  return by !== null && by === other ? ['taken by the officer who gave the other approval'] : [];
}

/** Like `isOnlyApprover` in contract/desk/rules.ts, by tags. */
function isOnlyApprover(
  { by }: LoggedStep,
  { first_approved_by: first = null, decided_by: decided }: Columns,
): boolean {
  return by === decided && (first === null || first === by);
}

/** The invoice's state at an event of one of its documents. */
export interface Standing {
  readonly status: string;
  /** The most recently requested document types, by name. */
  readonly asked: readonly string[];
}

/** The objection to an event of a document, or undefined. */
export function documentFault(action: string, type: string | null, { status, asked }: Standing): string | undefined {
  const known = statuses.find((one) => one === status);
  if (known === undefined || mayUpload(known, false)) return undefined;
  if (action === 'document.deleted') return `deleted in ${status}; only documents of a draft may be deleted`;
  if (!mayUpload(known, true)) return `recorded in ${status}, which accepts no documents`;
  return type !== null && asked.includes(type) ? undefined : `recorded in ${status}, but not requested`;
}
