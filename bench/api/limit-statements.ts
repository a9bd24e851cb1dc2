import { CALLERS } from '#bench/fills/callers.fill.ts';

/**
 * pgbench's scripts: a save and a page as one statement each, with only the necessary work. The session is looked up,
 * the row written and the audit event chained; the page is read with its total. Validation, idempotency keys and JSON
 * are the server's additional work.
 */

/** The session of the connection's caller (callers.fill.ts). */
function live(kind: 'client' | 'staff'): string {
  return `live as materialized (
    select persons.id, persons.tag, persons.business_id, persons.permissions, sessions.second_factor
    from sessions join persons on persons.id = sessions.person_id
    where sessions.token_hash = sha256(convert_to('${kind}-' || :client_id, 'UTF8'))
      and sessions.last_active_at > now() - interval '15 minutes'
      and sessions.created_at > now() - interval '12 hours' and persons.status in ('Verified', 'Active'))`;
}

function recorded(action: string, after: string): string {
  return `recorded as (
    insert into audit_events (at, actor_tag, action, subject_type, subject_tag, before, after, ip, request_id)
    select now(), live.tag, '${action}', 'invoice', saved.tag, ${after}, ${after}, '127.0.0.1', 'req-1'
    from saved, live)`;
}

const TERMS = `jsonb_build_object('invoiceNumber', saved.invoice_number, 'invoiceDate', saved.invoice_date,
  'currencyId', saved.currency_id, 'buyerId', saved.buyer_id, 'faceValue', saved.face_value)`;

const APPLICATION_TERMS = `jsonb_build_object('reference', saved.application_reference, 'date', saved.application_date,
  'advance', saved.advance, 'financingPeriodId', saved.financing_period_id, 'tenorDays', saved.tenor_days,
  'feeRateBps', saved.fee_rate_bps, 'discountFee', saved.discount_fee, 'netProceeds', saved.net_proceeds)`;

const NUMBER = '\\set n random(1000000, 9999999)\n';

export const CHANGE_INVOICE = `${NUMBER}with ${live('client')},
  saved as (
    update invoices set face_value = :n, version = invoices.version + 1
    from live
    where invoices.tag = md5('limit-invoice-' || :client_id)::uuid and invoices.business_id = live.business_id
      and invoices.status = 'Draft'
    returning invoices.*),
  ${recorded('invoice.changed', TERMS)}
  select tag, version, face_value from saved;
`;

export const CREATE_INVOICE = `\\set n random(1, 2000000000)
with ${live('client')},
  saved as (
    insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, listed_on, created_at, created_by)
    select live.business_id, 1100, 1, 'LIMIT ' || :n, 'limit-' || :n, date '2026-01-05', 1000000, current_date, now(),
      live.id
    from live
    returning invoices.*),
  ${recorded('invoice.created', TERMS)}
  select tag, version, face_value from saved;
`;

export const CHANGE_APPLICATION = `${NUMBER}with ${live('client')},
  saved as (
    update invoices set advance = :n, discount_fee = 100000, net_proceeds = :n - 100000,
      application_version = invoices.application_version + 1
    from live
    where invoices.tag = md5('limit-application-' || :client_id)::uuid and invoices.business_id = live.business_id
      and invoices.status = 'Draft'
    returning invoices.*),
  ${recorded('application.changed', APPLICATION_TERMS)}
  select application_tag, application_version, tag, face_value from saved;
`;

/** The pages of a list: the first one, or one of the first hundred for each caller. */
export const places = ['first page', 'first hundred pages'] as const;
export type Place = (typeof places)[number];

/** The offset of a caller's page of ten in a list of this length. */
export function offsetOf(place: Place, rows: number, caller: number): number {
  const last = Math.max(0, Math.ceil(rows / 10) - 1);
  return place === 'first page' ? 0 : Math.min(last, Math.floor(((caller + 1) * 100) / CALLERS) - 1) * 10;
}

const SHOWN = `invoices.tag, invoices.invoice_number, invoices.face_value, currencies.code, owner.name as owner,
  buyer.name as buyer, invoices.status, invoices.application_date, invoices.advance, invoices.discount_fee,
  invoices.net_proceeds`;
const JOINED = `page join invoices on invoices.id = page.id join currencies on currencies.id = invoices.currency_id
  join businesses as owner on owner.id = invoices.business_id join businesses as buyer on buyer.id = invoices.buyer_id`;

/** Where each caller's pages begin: pgbench looks it up by key, the cheapest possible way to find a page. */
export const MAKE_PAGES = `create table bench_pages (
  whose text, place text, caller integer, listed_on date, id integer, primary key (whose, place, caller))`;

export const ADD_OWN_PAGE = `insert into bench_pages
  select 'own', $1, $2, listed_on, id from invoices where business_id = $3 order by listed_on desc, id desc limit 1 offset $4`;

export const ADD_ALL_PAGE = `insert into bench_pages
  select 'all', $1, $2, listed_on, id from invoices order by listed_on desc, id desc limit 1 offset $3`;

/** A client's own list. */
export function ownPage(place: Place): string {
  return `with ${live('client')},
  counted as (select rows from row_counts where list = 'invoices' and scope = (select business_id from live)),
  begins as (select listed_on, id from bench_pages where whose = 'own' and place = '${place}' and caller = :client_id),
  page as (
    select invoices.id from invoices where business_id = (select business_id from live)
      and (listed_on, id) <= ((select listed_on from begins), (select id from begins))
    order by listed_on desc, id desc limit 10)
  select ${SHOWN}, (select rows from counted) as total from ${JOINED}
  order by invoices.listed_on desc, invoices.id desc;
`;
}

/** Everybody's list for staff; its total is the sum of a counter for each business. */
export function allPage(place: Place): string {
  return `with ${live('staff')},
  begins as (select listed_on, id from bench_pages where whose = 'all' and place = '${place}' and caller = :client_id),
  page as (
    select id from invoices
    where (select second_factor from live) and (listed_on, id) <= ((select listed_on from begins), (select id from begins))
    order by listed_on desc, id desc limit 10)
  select ${SHOWN}, (select sum(rows) from row_counts where list = 'invoices') as total from ${JOINED}
  order by invoices.listed_on desc, invoices.id desc;
`;
}
