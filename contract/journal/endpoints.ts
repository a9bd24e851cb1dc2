import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, calendarDate, tag } from '#contract/fields.ts';
import { accountCode, accountJournalReply, applicationJournalReply, trialBalanceReply } from './schema.ts';

/** The double-entry journal (docs/decisions/0042-double-entry.md). */
export const journalEndpoints = {
  applicationJournal: endpoint({
    method: 'GET',
    path: '/applications/:tag/journal',
    summary: 'Every entry of an application with its lines, and the balance of each account after it',
    params: byTag,
    reply: applicationJournalReply,
    needs: 'journal.view',
  }),
  accountJournal: endpoint({
    method: 'GET',
    path: '/journal/accounts/:account',
    summary: 'The lines of an account in one currency by date, newest first, with the running balance',
    params: z.strictObject({ account: accountCode }),
    query: z.strictObject({ currency: z.string().length(3), before: tag.optional() }),
    reply: accountJournalReply,
    needs: 'journal.view',
  }),
  trialBalance: endpoint({
    method: 'GET',
    path: '/journal/trial_balance',
    summary: 'The balance of every account at the end of a day, by currency',
    query: z.strictObject({ on: calendarDate('Provide the day').optional() }),
    reply: trialBalanceReply,
    needs: 'journal.trialBalance',
  }),
} as const;
