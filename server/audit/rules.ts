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
 * What Kasente refuses, and so never records (docs/decisions/0015-audit-chain.md): Kasente did not write a log that
 * contains it. One sentence for each broken rule.
 */

/** A step as recorded. */
interface ToldStep {
  readonly name: StepName;
  readonly to: string;
  readonly by: string | null;
  /** For a repeated approval: which of the two. */
  readonly approval: Approval;
}

/** The objections to a step, given the invoice before it. */
export function stepFaults(step: ToldStep, invoice: Columns, paysByRules: boolean): string[] {
  const faults = [...stateFaults(step, invoice), ...takerFaults(step, invoice), ...approverFaults(step, invoice)];
  if (paysByRules && step.name === 'disburse' && isOnlyApprover(step, invoice))
    faults.push('recorded of the only officer who approved');
  return faults.map((fault) => `${step.name}: ${fault}`);
}

function stateFaults({ name, to }: ToldStep, { status: from = null }: Columns): string[] {
  const known = statuses.find((status) => status === from);
  const leadsTo = known === undefined ? steps[name].to : statusAfter(name, known);
  return [
    ...(known === undefined || !stepAllowed(name, known) ? [`recorded in ${from}, which does not allow it`] : []),
    ...(to === leadsTo ? [] : [`recorded as leading to ${to}, and it leads to ${leadsTo}`]),
  ];
}

/** The log of an invoice does not tell who was an officer or belonged to the business. */
function takerFaults({ name, by }: ToldStep, invoice: Columns): string[] {
  const isSystem = steps[name].by === 'system';
  if (by === null) return isSystem || 'orSystem' in steps[name] ? [] : ['recorded of nobody'];
  const { holder = null, first_approved_by: first = null, submitted_by: submitter = null } = invoice;
  switch (steps[name].by) {
    case 'client':
    case 'none': // with what a client does
      return by === holder || by === first ? ['recorded of an officer of the case, and it is the client’s'] : [];
    case 'system':
      return ['recorded of somebody, and it is nobody’s'];
    case 'assignee':
      return by === holder ? [] : ['recorded of somebody who did not have the case'];
    case 'officer':
      if (by === submitter) return ['recorded of who submitted the application, and it is an officer’s'];
      return mustHold(name) && by !== holder && !(name === 'sendBack' && by === first)
        ? ['recorded of somebody who did not have the case']
        : [];
  }
}

/** Steps of the assignee of an undecided case; one of them may be taken by the first approver too. */
function mustHold(name: StepName): boolean {
  return name === 'sendBack' || name === 'voidApproval';
}

function approverFaults({ name, by, approval }: ToldStep, invoice: Columns): string[] {
  const { first_approved_by: first, decided_by: decided } = invoice;
  const isFirst = name === 'approveAgain' && approval === 'first';
  const other = name !== 'approve' && name !== 'approveAgain' ? null : isFirst ? decided : first;
  return by !== null && by === other ? ['recorded of the officer who gave the other approval'] : [];
}

/** Like the rule of that name (contract/desk/rules.ts), by tags. */
function isOnlyApprover({ by }: ToldStep, { first_approved_by: first = null, decided_by: decided }: Columns): boolean {
  return by === decided && (first === null || first === by);
}

/** The invoice's state at an event of one of its documents. */
export interface Standing {
  readonly status: string;
  /** The document types requested last, by name. */
  readonly asked: readonly string[];
}

/** The objection to an event of a document, or undefined. */
export function documentFault(action: string, type: string | null, { status, asked }: Standing): string | undefined {
  const known = statuses.find((one) => one === status);
  if (known === undefined || mayUpload(known, false)) return undefined;
  if (action === 'document.deleted') return `deleted in ${status}, and only a draft’s may be`;
  if (!mayUpload(known, true)) return `recorded in ${status}, which takes none`;
  return type !== null && asked.includes(type) ? undefined : `recorded in ${status}, and it was not asked for`;
}
