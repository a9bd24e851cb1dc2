import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

/**
 * `audit:verify` compares the columns that record.queries.ts reads. If a column were neither read nor exempt here,
 * nobody would notice a change to it.
 */

interface ComparedTable {
  /** The functions of record.queries.ts that read it. */
  readonly readBy: string;
  /** Columns that are not compared, with the reason. */
  readonly exempt: Readonly<Record<string, string>>;
}

const INTERNAL = 'an internal number; the tag is compared';
const STALE = 'a counter that detects stale saves';
const CLOCK = 'the SLA clock; the steps that move it are compared';
const GENERATED = 'derived from the compared invoice number, for searching';

const tables: Readonly<Record<string, ComparedTable>> = {
  invoices: {
    readBy: 'selectStandingInvoices',
    exempt: {
      id: INTERNAL,
      version: STALE,
      application_version: STALE,
      application_tag: 'identifies the application on the wire; its terms are compared',
      created_at: 'taken from the first event, which is chained',
      created_by: 'taken from the first event, which is chained',
      clock_runs_since: CLOCK,
      clock_used_ms: CLOCK,
      decide_by: CLOCK,
      decision_target_ms: CLOCK,
      held_since: 'sorts the desk; the holder is compared',
      invoice_number_key: GENERATED,
      invoice_number_look: GENERATED,
      listed_on: 'sorts lists; the date of the application is compared',
      paid_out_on: 'repeats the day of the payout entry, which is compared',
      fee_earned_until: 'repeats the last fee entry, which is compared',
      promise_missed_at: 'records that officers were notified of a missed promise',
      repayment_reference: 'generated from the id',
    },
  },
  application_steps: { readBy: 'selectStandingSteps', exempt: {} },
  journal_entries: {
    readBy: 'selectStandingEntries',
    exempt: {
      currency_id: 'that of the invoice, by a constraint; the invoice’s is compared',
      transfer_id: 'a link; transfers are compared with their entries by record-transfers.queries.ts',
    },
  },
  journal_lines: { readBy: 'selectStandingEntries', exempt: {} },
  documents: {
    readBy: 'selectStandingDocuments',
    exempt: {
      storage_key: 'where the file is; its digest is compared, and files:verify reads the file',
      uploaded_at: 'taken from the event, which is chained',
      uploaded_by: 'taken from the event, which is chained',
    },
  },
  key_facts_acceptances: { readBy: 'selectStandingKeyFacts', exempt: {} },
  counter_offer_acceptances: { readBy: 'selectStandingKeyFacts', exempt: {} },
};

const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');
const functions = (await read('record.queries.ts')).split('export async function ');
const schema: Record<string, string> = JSON.parse(await read('../migrations/schema.json'));

describe.each(Object.entries(tables))('the columns of %s', (table, { readBy, exempt }) => {
  const prefix = `column ${table}.`;
  const columns = Object.keys(schema)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  const query = functions.find((text) => text.startsWith(`${readBy}(`)) ?? '';
  const isRead = (column: string) => new RegExp(`\\b${column}\\b`).test(query);

  it('are compared with the audit log or exempt with a reason', () => {
    expect(columns).not.toEqual([]);
    expect(columns.filter((column) => !isRead(column) && exempt[column] === undefined)).toEqual([]);
  });

  it('have no unnecessary exemption', () => {
    expect(Object.keys(exempt).filter((column) => isRead(column) || !columns.includes(column))).toEqual([]);
  });
});
