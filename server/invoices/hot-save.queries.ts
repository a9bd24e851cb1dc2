import { hotChange } from '#server/platform/hot-change.ts';

/**
 * The invoice form saved in one statement (docs/decisions/0027-hot-paths.md). `$13` to `$18` are the columns of the form, `$19` and
 * `$20` the tags of person and business that it names or null, `$21` what each statement says; `$9` is the invoice's tag.
 *
 * Buyer, currency and session are read as they were when the statement began, as the general way reads them before it writes.
 */

const COLUMNS = 'invoice_number, invoice_number_key, invoice_date, currency_id, buyer_id, face_value';
const VALUES = '$13, $14, $15::date, $16::integer, $17::integer, $18::numeric';

const BY_THEMSELVES = `($19::uuid is null or $19 = session.person_tag)
      and ($20::uuid is null or $20 = session.business_tag) and session.business_id <> $17::integer`;
const BUYER_ON_OFFER = 'exists (select from businesses where id = $17 and is_buyer and active)';
const CURRENCY_KNOWN = 'exists (select from currencies where id = $16)';

/** A new draft. `$21`: the day on which it is listed. */
export const createInvoiceAtOnce = hotChange({
  meant: `select session.person_id, session.person_tag, session.business_id, null::jsonb as before
    from session where ${BY_THEMSELVES} and ${BUYER_ON_OFFER} and ${CURRENCY_KNOWN}`,
  done: (from) => `insert into invoices (tag, ${COLUMNS}, business_id, listed_on, created_at, created_by)
    select $9::uuid, ${VALUES}, meant.business_id, $21::date, $4::timestamptz, meant.person_id from ${from} returning id`,
  values: 9,
});

/**
 * A draft changed. `$21`: its version, which the UPDATE looks at again once it has the row's lock: as long as it is the same,
 * nobody else has changed what the form says, and `before` is what was there.
 */
export const changeInvoiceAtOnce = hotChange({
  meant: `select session.person_id, session.person_tag, invoice.id, jsonb_build_object(
      'invoiceNumber', invoice.invoice_number, 'invoiceDate', invoice.invoice_date, 'currencyId', invoice.currency_id,
      'buyerId', invoice.buyer_id, 'faceValue', (invoice.face_value * 100)::bigint) as before
    from session join invoices as invoice on invoice.business_id = session.business_id
    where invoice.tag = $9::uuid and invoice.status = 'Draft' and invoice.version = $21::integer and ${BY_THEMSELVES}
      and (invoice.buyer_id = $17 or ${BUYER_ON_OFFER}) and ${CURRENCY_KNOWN}
      and (invoice.invoice_number, invoice.invoice_date, invoice.currency_id, invoice.buyer_id, invoice.face_value)
        is distinct from ($13, $15::date, $16, $17, $18::numeric)`,
  done: (from) => `update invoices set (${COLUMNS}, version) = row(${VALUES}, $21 + 1) from ${from}
    where invoices.id = meant.id and invoices.version = $21 and invoices.status = 'Draft' returning invoices.id`,
  values: 9,
});
