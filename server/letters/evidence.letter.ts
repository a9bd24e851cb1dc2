import { declineReasons } from '#contract/applications/decline-reasons.ts';
import type { ProgressReply } from '#contract/applications/progress.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { sayDate } from '#contract/time/calendar.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Block, Letter } from '#server/pdf/letter.ts';
import type { HistoryLine } from './history.ts';
import type { selectDocumentDigests } from './letters.queries.ts';
import { sayInstant, sayMinor } from './wording.ts';

/** The contents of an evidence letter. */
interface Evidence {
  readonly documents: Awaited<ReturnType<typeof selectDocumentDigests>>;
  /** The number of verified events. */
  readonly events: number;
  readonly history: readonly HistoryLine[];
  /** People's names by tag. */
  readonly people: ReadonlyMap<string, string>;
  readonly progress: ProgressReply;
  /** The faults of the log, and the rows that differ from it; empty if all is intact. */
  readonly faults: readonly string[];
  /** Whether the log covers the whole application. */
  readonly isCovered: boolean;
  readonly printed: { readonly at: Date; readonly by: string };
}

const LINK_SHOWN = 12;

/** The whole history of an application, with people and times, and whether its log is intact. */
export function evidenceLetter(invoice: InvoiceRecord, evidence: Evidence): Letter {
  const { printed, documents } = evidence;
  return {
    title: `Evidence on invoice ${invoice.invoiceNumber}`,
    subtitle: `Printed ${sayInstant(printed.at)} for ${printed.by}. Times are those of Kampala.`,
    at: printed.at,
    blocks: [
      { facts: termsOf(invoice, evidence.progress) },
      { heading: 'The record' },
      ...recordOf(evidence),
      { heading: 'Documents' },
      documentTable(documents),
      { heading: 'Events' },
      { text: 'Amounts are in hundredths, as they are kept.', faint: true },
      eventTable(evidence),
    ],
  };
}

/** Certifies only what was recomputed from the log. */
function recordOf({ events, faults, isCovered }: Evidence): Block[] {
  const names = { text: 'Names of people and businesses are those of today.', faint: true };
  if (faults.length > 0) {
    return [
      { text: 'The record is not as it was written. This letter certifies nothing.' },
      ...faults.map((fault) => ({ text: `${fault}.` })),
      names,
    ];
  }
  const links = `${events} events. We computed every link of their chains again: each is as it was written.`;
  const compared = isCovered
    ? 'From these events we computed state, terms, sums and documents again: all of it is as it stands above and below.'
    : 'The record does not tell everything above and below. What it does not tell is not certified.';
  return [{ text: links }, { text: compared }, names];
}

function termsOf(invoice: InvoiceRecord, { client, buyer, status, declined }: ProgressReply) {
  const { application, currencyCode: currency } = invoice;
  const amounts: (readonly [string, string])[] =
    application === null
      ? []
      : [
          ['Applied for', `${sayMinor(currency, application.advance)} over ${application.tenorDays} days`],
          ['Fee', sayMinor(currency, application.discountFee)],
          ['To be received', sayMinor(currency, application.netProceeds)],
        ];
  return [
    ['Client', client],
    ['Buyer', buyer],
    ['Invoice', `${sayMinor(currency, invoice.faceValue)}, dated ${sayDate(invoice.invoiceDate)}`],
    ...amounts,
    ['Status', status],
    ...(declined === null ? [] : [['Declined', `${declineReasons[declined.reason]}. ${declined.note}`] as const]),
    ['Reference', application?.reference ?? '-'],
  ] as const;
}

function documentTable(documents: Evidence['documents']): Block {
  return {
    columns: ['Type', 'File', 'SHA-256 as uploaded'],
    rows: documents.map(({ type, fileName, sha256 }) => [type, fileName, sha256.toString('hex')]),
    widths: [0.24, 0.26, 0.5],
  };
}

function eventTable({ history, people }: Evidence): Block {
  return {
    columns: ['When', 'Who', 'What', 'With', 'Link'],
    rows: history.map((line) => [
      sayEnds(line, momentOf),
      line.actors.map((tag) => (tag === null ? undefined : people.get(tag)) ?? PRODUCT_NAME).join(', '),
      line.times === 1 ? line.first.action : sayTimes(line),
      line.times === 1 ? sayContent(line.first.after) : 'Before the submission, which tells what counts.',
      sayEnds(line, ({ hash }) => hash.toString('hex').slice(0, LINK_SHOWN)),
    ]),
    widths: [0.14, 0.15, 0.21, 0.35, 0.15],
  };
}

function sayTimes({ first, times }: HistoryLine): string {
  return first.subjectType === 'document' ? `${times} changes of documents` : `${times} saves of the draft`;
}

/** The first and the last of a group of events. */
function sayEnds({ first, last }: HistoryLine, say: (event: HistoryLine['first']) => string): string {
  const [from, to] = [say(first), say(last)];
  return from === to ? from : `${from} to ${to}`;
}

function momentOf({ at }: HistoryLine['first']): string {
  return sayInstant(new Date(Number(at) / MICROSECONDS));
}

const MICROSECONDS = 1000;

/** An event's content, one field per line, such as `application.advance: 90000000`. */
function sayContent(after: string | null): string {
  return after === null ? '' : flatten('', JSON.parse(after)).join('\n');
}

function flatten(path: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [`${path}: ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, part]) => flatten(path === '' ? key : `${path}.${key}`, part));
}
