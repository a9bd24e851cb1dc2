import { z } from 'zod';
import { actionsAt, readingsAt } from '#contract/actions.ts';
import { endpoint } from '#contract/endpoint.ts';
import { afterQuery, byTag, success } from '#contract/fields.ts';
import {
  assignmentBody,
  claimant,
  claimantsQuery,
  closingBody,
  explanationBody,
  importedReply,
  MAXIMUM_STATEMENT_BYTES,
  matchingReply,
  reconciliationQuery,
  reconciliationReply,
  repeatAnswer,
  returnAnswer,
  returnBody,
  returnedBody,
  statementQuery,
  waitingReply,
  withdrawalAnswer,
  withdrawalBody,
  withdrawalReply,
} from './schema.ts';

const withReceived = actionsAt('/received_money', 'payments.record', success);
const withStatement = actionsAt('/statements', 'payments.record', success);

/** Statements, and the money that they contain (docs/decisions/0050-money-that-comes.md). */
export const statementEndpoints = {
  importStatement: endpoint({
    method: 'POST',
    path: '/statements',
    summary: 'Take in a statement: each line counts once; what names an application is credited to it afterwards',
    query: statementQuery,
    bytes: MAXIMUM_STATEMENT_BYTES,
    ownQueue: true,
    reply: importedReply,
    needs: 'payments.record',
  }),
  readWithdrawal: readingsAt('/statements', 'journal.view')(
    'withdrawal',
    'What stands in the way of withdrawing a statement, and what follows from it',
    withdrawalReply,
  ),
  proposeWithdrawal: withStatement(
    'withdrawal/propose',
    'Propose to withdraw a statement that was imported by mistake; another officer confirms it',
    withdrawalBody,
  ),
  confirmWithdrawal: withStatement(
    'withdrawal/confirm',
    'Withdraw a statement, as another officer proposed: its lines count no more, and may be imported again',
    withdrawalAnswer,
  ),
  dropWithdrawal: withStatement('withdrawal/drop', 'Drop the proposal to withdraw a statement', withdrawalAnswer),
  statementMatching: endpoint({
    method: 'GET',
    path: '/statements/:tag/matching',
    summary: 'How far the matching of a statement is, and its result',
    params: byTag,
    reply: matchingReply,
    needs: 'journal.view',
  }),
  listReceived: endpoint({
    method: 'GET',
    path: '/received_money',
    summary: 'Received money that waits for an officer, oldest first, with suggestions, and the newest imports',
    query: afterQuery,
    reply: waitingReply,
    needs: 'journal.view',
  }),
  findClaimants: endpoint({
    method: 'GET',
    path: '/received_money/:tag/applications',
    summary: 'Applications that money may be assigned to, by repayment reference, invoice number or client',
    params: byTag,
    query: claimantsQuery,
    reply: z.array(claimant),
    needs: 'journal.view',
  }),
  assignReceived: withReceived('assign', 'Assign received money to one or more applications', assignmentBody),
  answerRepeat: withReceived(
    'repeat',
    'Say whether a line is the payment of another line, or another payment, which is then received money',
    repeatAnswer,
  ),
  proposeReturn: withReceived(
    'return/propose',
    'Propose to send back received money; another officer confirms that it was sent',
    returnBody,
  ),
  confirmReturn: withReceived(
    'return/confirm',
    'Record that money was sent back, as another officer proposed',
    returnedBody,
  ),
  dropReturn: withReceived('return/drop', 'Drop the proposal to send money back', returnAnswer),
  reconciliation: endpoint({
    method: 'GET',
    path: '/reconciliation',
    summary: 'The statement of an account against the journal on a day, with every difference',
    query: reconciliationQuery,
    ownQueue: true,
    reply: reconciliationReply,
    needs: 'journal.view',
  }),
  explainDifference: endpoint({
    method: 'POST',
    path: '/reconciliation/explain',
    summary: 'Explain a difference of a day',
    body: explanationBody,
    reply: success,
    needs: 'payments.record',
  }),
  closeDay: endpoint({
    method: 'POST',
    path: '/reconciliation/close',
    summary: 'Close a day of an account on which nothing is open',
    body: closingBody,
    reply: success,
    needs: 'payments.record',
  }),
} as const;
