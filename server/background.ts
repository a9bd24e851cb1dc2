import { sweepAccounts } from '#server/accounts/sweep.service.ts';
import { anchorAudit } from '#server/audit/audit.service.ts';
import { mailSeal } from '#server/audit/witness.service.ts';
import { sweepIdempotencyKeys } from '#server/changes/change.ts';
import { sweepReminders } from '#server/collections/reminders.service.ts';
import { sweepLapsed } from '#server/desk/lapse/lapse-sweep.service.ts';
import { sweepSla } from '#server/desk/sla/sla-sweep.service.ts';
import { auditNextShare } from '#server/documents/store/store-audit.service.ts';
import { sweepFiles } from '#server/documents/store/stored-files.service.ts';
import { sweepUploads } from '#server/documents/uploads/uploads.service.ts';
import { type RunningJobs, startJobs } from '#server/jobs/jobs.ts';
import { sweepLetters } from '#server/letters/kept-letters.service.ts';
import { messageWorkers } from '#server/messages/messages.jobs.ts';
import { sweepMessages, warnOfWaiting } from '#server/messages/messages.service.ts';
import { sweepDerived } from '#server/payments/derived/derived.service.ts';
import { sweepFees } from '#server/payments/fees.service.ts';
import { payoutOutcome } from '#server/payouts/payout-outcomes.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { requestOutcome } from '#server/requests-to-pay/request-outcomes.service.ts';
import { sweepSessions } from '#server/sessions/sessions.ts';
import { matchingWorker } from '#server/statements/matching/after-import.jobs.ts';
import { followImports } from '#server/statements/matching/after-import.service.ts';
import { notifyOfDifferences } from '#server/statements/reconciliation/reconciliation-news.service.ts';
import { sweepChecks } from '#server/transfers/checks/checks.service.ts';
import { followTransfer, type Outcomes } from '#server/transfers/following.service.ts';
import { transferWorker } from '#server/transfers/transfers.jobs.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import { queues } from './queues.ts';

/** The handlers for the end of a transfer. */
export const outcomes: Outcomes = { out: payoutOutcome, in: requestOutcome };

/** Starts the background work: sending messages, and sweeps. */
export function startBackgroundWork(platform: Platform): Promise<RunningJobs> {
  return startJobs(platform, {
    queues,
    workers: [
      ...messageWorkers(platform),
      transferWorker((tag) => followTransfer(platform, outcomes, tag)),
      matchingWorker((tag) => followImports(platform, tag)),
    ],
    sweeps: {
      'audit-anchors': { everyMinutes: 5, run: () => anchorAudit(platform) },
      'received-money': { everyMinutes: 5, run: () => followImports(platform) },
      approvals: { everyMinutes: 15, run: () => sweepLapsed(platform) },
      'audit-mail': { everyMinutes: 60, run: () => mailSeal(platform) },
      accounts: { everyMinutes: 15, run: () => sweepAccounts(platform) },
      'file-audit': { everyMinutes: 60, run: () => auditNextShare(platform) },
      fees: { everyMinutes: 60, run: () => sweepFees(platform) },
      files: { everyMinutes: 5, run: () => sweepFiles(platform) },
      'idempotency-keys': { everyMinutes: 60, run: () => sweepIdempotencyKeys(platform) },
      'late-charges': { everyMinutes: 60, run: () => sweepDerived(platform) },
      letters: { everyMinutes: 60, run: () => sweepLetters(platform) },
      'message-delays': { everyMinutes: 5, run: () => warnOfWaiting(platform) },
      messages: { everyMinutes: 60, run: () => sweepMessages(platform) },
      promises: { everyMinutes: 1, run: () => sweepSla(platform) },
      'repayment-reminders': { everyMinutes: 5, run: () => sweepReminders(platform) },
      'transfer-checks': { everyMinutes: 5, run: () => sweepChecks(platform, outcomes) },
      transfers: { everyMinutes: 1, run: () => sweepTransfers(platform) },
      reconciliation: { everyMinutes: 60, run: () => notifyOfDifferences(platform) },
      sessions: { everyMinutes: 15, run: () => sweepSessions(platform) },
      uploads: { everyMinutes: 15, run: () => sweepUploads(platform) },
    },
  });
}
