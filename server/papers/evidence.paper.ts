import { declineReasons } from '#contract/applications/decline-reasons.ts';
import type { ProgressReply } from '#contract/applications/progress.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import type { Names } from '#server/papers/key-facts.paper.ts';
import type { Block, Paper } from '#server/papers/paper.ts';
import type { selectDocumentDigests, selectHistory } from '#server/papers/papers.queries.ts';
import { sayDate, sayInstant, sayMinor } from '#server/papers/wording.ts';

/** What the evidence of an application consists of. */
interface Evidence {
  readonly documents: Awaited<ReturnType<typeof selectDocumentDigests>>;
  readonly events: Awaited<ReturnType<typeof selectHistory>>;
  readonly progress: ProgressReply;
  /** What is wrong with the log's chains; none where every link is as it was written. */
  readonly faults: readonly string[];
  readonly printed: { readonly at: Date; readonly by: string };
}

const LINK_SHOWN = 12;

/** Everything that was done to an application, by whom and when, and whether the log of it is whole. */
export function evidencePaper(invoice: InvoiceRecord, names: Names, evidence: Evidence): Paper {
  const { events, faults, printed, documents } = evidence;
  return {
    title: `Evidence on invoice ${invoice.invoiceNumber}`,
    subtitle: `Printed ${sayInstant(printed.at)} for ${printed.by}. Times are those of Kampala.`,
    at: printed.at,
    blocks: [
      { facts: termsOf(invoice, names, evidence.progress) },
      { heading: 'The record' },
      {
        text:
          faults.length === 0
            ? `${events.length} events; every link of their chains was computed again and is as it was written.`
            : `The record is not as it was written: ${faults.join('; ')}.`,
      },
      { heading: 'Documents' },
      documentTable(documents),
      { heading: 'Events' },
      { text: 'Amounts are in hundredths, as they are kept.', faint: true },
      eventTable(events),
    ],
  };
}

function termsOf(invoice: InvoiceRecord, names: Names, { status, declined, clock }: ProgressReply) {
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
    ['Client', names.client],
    ['Buyer', names.buyer],
    ['Invoice', `${sayMinor(currency, invoice.faceValue)}, dated ${sayDate(invoice.invoiceDate)}`],
    ...amounts,
    ['Status', status],
    ...(declined === null ? [] : [['Declined', `${declineReasons[declined.reason]}. ${declined.note}`] as const]),
    ...(clock.decideBy === null ? [] : [['Decision promised by', sayInstant(new Date(clock.decideBy))] as const]),
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

function eventTable(events: Evidence['events']): Block {
  return {
    columns: ['When', 'Who', 'What', 'With', 'Link'],
    rows: events.map(({ at, actor, action, after, hash }) => [
      sayInstant(at),
      actor ?? 'Kasente',
      action,
      sayContent(after),
      hash.toString('hex').slice(0, LINK_SHOWN),
    ]),
    widths: [0.14, 0.15, 0.21, 0.35, 0.15],
  };
}

/** An event's content a line each, as `application.advance: 90000000`. */
function sayContent(after: unknown): string {
  return flatten('', after).join('\n');
}

function flatten(path: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [`${path}: ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, part]) => flatten(path === '' ? key : `${path}.${key}`, part));
}
