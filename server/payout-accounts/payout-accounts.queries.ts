import { type ExpressionBuilder, type Insertable, sql } from 'kysely';
import type { NamedAccount } from '#contract/payouts/account.ts';
import type { HolderAnswer } from '#contract/payouts/holders.ts';
import { fieldError } from '#server/calls/app-error.ts';
import type { Connection } from '#server/db/database.ts';
import type { PayoutAccounts, Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** Whether an account is its business's first, with the number that the person who added it signed up with. */
const isFirstOwn = sql<boolean>`not exists (select from payout_accounts as earlier
    where earlier.business_id = account.business_id and earlier.id < account.id)
  and exists (select from persons where persons.id = account.added_by and persons.username = account.number)`;

/** The columns of {@link AccountRow}, under the alias `account`. */
export const accountColumns = [
  'account.id',
  'account.tag',
  'account.business_id as businessId',
  'account.provider',
  'account.number',
  'account.holder_name as holderName',
  'account.bank_name as bankName',
  'account.added_at as addedAt',
  'account.added_by as addedBy',
  'account.replaces as replacesId',
  'account.verified_at as verifiedAt',
  'account.verified_by as verifiedBy',
  'account.skips_wait as skipsWait',
  isFirstOwn.as('isFirstOwn'),
  'account.frozen_at as frozenAt',
  'account.replaced_at as replacedAt',
  'account.freezes',
  'account.holder_state as holderState',
  'account.holder_said as holderSaid',
  'account.holder_asked_at as holderAskedAt',
] as const;

function accounts(connection: Connection) {
  return connection.selectFrom('payout_accounts as account').select(accountColumns);
}

/** A payout account with the fields that the rules need. */
export type AccountRow = Awaited<ReturnType<ReturnType<typeof accounts>['execute']>>[number];

/** A business's accounts, newest first, with the person who added each. */
export function selectAccounts(connection: Connection, businessId: number) {
  return accounts(connection)
    .innerJoin('persons as adder', 'adder.id', 'account.added_by')
    .select(personName('adder').as('addedByName'))
    .where('account.business_id', '=', businessId)
    .orderBy('account.id', 'desc')
    .execute();
}
export type OwnAccountRow = Awaited<ReturnType<typeof selectAccounts>>[number];

/** Officers' lists have only one page. */
const LISTED = 100;

type Aliased = Tables & { readonly account: PayoutAccounts };

/** A separator that cannot occur in a name. */
export const NAMES_APART = '\n';

/** The names of the other businesses with the same account. */
function sharedWith(where: ExpressionBuilder<Aliased, 'account'>) {
  return where
    .selectFrom('payout_accounts as other')
    .innerJoin('businesses as theirs', 'theirs.id', 'other.business_id')
    .whereRef('other.number', '=', 'account.number')
    .whereRef('other.provider', '=', 'account.provider')
    .whereRef('other.business_id', '<>', 'account.business_id')
    .select(sql<string>`coalesce(string_agg(distinct theirs.name, ${sql.lit(NAMES_APART)}), '')`.as('names'));
}

function officersAccounts(connection: Connection) {
  return accounts(connection)
    .innerJoin('persons as adder', 'adder.id', 'account.added_by')
    .innerJoin('businesses', 'businesses.id', 'account.business_id')
    .leftJoin('persons as verifier', 'verifier.id', 'account.verified_by')
    .leftJoin('payout_accounts as former', 'former.id', 'account.replaces')
    .select(['businesses.name as business', 'businesses.tag as businessTag'])
    .select(['adder.placed_by as placedBy', 'adder.placed_at as placedAt'])
    .select(['former.provider as formerProvider', 'former.number as formerNumber'])
    .select(['former.holder_name as formerHolder', 'former.bank_name as formerBank'])
    .select(personName('adder').as('addedByName'))
    .select(personName('verifier').$castTo<string | null>().as('verifiedByName'))
    .select((where) => sharedWith(where).as('sharedWith'))
    .limit(LISTED);
}
export type OfficerAccountRow = Awaited<ReturnType<ReturnType<typeof officersAccounts>['execute']>>[number];

/** Accounts that nobody has verified yet, oldest first. */
export function selectWaiting(connection: Connection): Promise<OfficerAccountRow[]> {
  return officersAccounts(connection)
    .where('account.verified_at', 'is', null)
    .where('account.frozen_at', 'is', null)
    .orderBy('account.added_at')
    .orderBy('account.id')
    .execute();
}

/** A business's accounts for officers, newest first; or only some accounts. */
export function selectForOfficers(
  connection: Connection,
  given: { readonly businessTag: string } | { readonly accountIds: readonly number[] },
): Promise<OfficerAccountRow[]> {
  const all = officersAccounts(connection).orderBy('account.id', 'desc');
  return (
    'businessTag' in given
      ? all.where('businesses.tag', '=', given.businessTag)
      : all.where(sql<boolean>`account.id = any(${given.accountIds})`)
  ).execute();
}

/** An account of any business. */
export function selectAccount(connection: Connection, tag: string): Promise<AccountRow | undefined> {
  return accounts(connection).where('account.tag', '=', tag).executeTakeFirst();
}

/** An account with its business, locked until the transaction ends. */
export function lockAccountRow(change: Change, tag: string) {
  return accounts(change)
    .innerJoin('businesses', 'businesses.id', 'account.business_id')
    .select(['businesses.tag as businessTag', 'businesses.name as business'])
    .where('account.tag', '=', tag)
    .forNoKeyUpdate('account')
    .executeTakeFirst();
}
export type LockedAccount = NonNullable<Awaited<ReturnType<typeof lockAccountRow>>>;

/** Stores the provider's answer about the holder of a locked account. */
export function storeAnswer(
  change: Change,
  { id }: Pick<AccountRow, 'id'>,
  { holderState, holderSaid, holderAskedAt }: HolderAnswer,
): void {
  const said = { holder_state: holderState, holder_said: holderSaid, holder_asked_at: holderAskedAt };
  change.send(change.updateTable('payout_accounts').set(said).where('id', '=', id));
}

/** Whether another business has the same account. */
export async function isShared(connection: Connection, account: NamedAccount & { businessId: number }) {
  const other = await connection
    .selectFrom('payout_accounts')
    .select('id')
    .where('number', '=', account.number)
    .where('provider', '=', account.provider)
    .where('business_id', '<>', account.businessId)
    .executeTakeFirst();
  return other !== undefined;
}

/** Serialises the additions of one business. Returns its tag and name. */
export function lockAddingBusiness(change: Change, businessId: number) {
  return change
    .selectFrom('businesses')
    .select(['tag', 'name', 'active'])
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** How many accounts a business has added since a time. */
export async function countAddedSince(connection: Connection, businessId: number, since: Date): Promise<number> {
  const { added } = await connection
    .selectFrom('payout_accounts')
    .where('business_id', '=', businessId)
    .where('added_at', '>', since)
    .select((query) => query.fn.countAll<number>().as('added'))
    .executeTakeFirstOrThrow();
  return Number(added);
}

const OWN_INDEX = 'payout_accounts_own';

/** Stores an account. Fails with PAYOUT_ACCOUNT_KNOWN if the business has it already. */
export function insertAccount(change: Change, values: Insertable<PayoutAccounts>): void {
  change.send(change.insertInto('payout_accounts').values(values), {
    [OWN_INDEX]: () => fieldError('PAYOUT_ACCOUNT_KNOWN', 'number'),
  });
}

/** Whether the business has this account, and it has not been replaced. */
export async function hasAccount(connection: Connection, businessId: number, account: NamedAccount): Promise<boolean> {
  const same = await connection
    .selectFrom('payout_accounts')
    .select('id')
    .where('business_id', '=', businessId)
    .where('provider', '=', account.provider)
    .where('number', '=', account.number)
    .where(sql<boolean>`coalesce(lower(bank_name), '') = ${(account.bankName ?? '').toLowerCase()}`)
    .where('replaced_at', 'is', null)
    .executeTakeFirst();
  return same !== undefined;
}

export function freezeRow(change: Change, { id, freezes }: AccountRow, at: Date, by: number): void {
  const frozen = { frozen_at: at, frozen_by: by, freezes: freezes + 1 };
  change.send(change.updateTable('payout_accounts').set(frozen).where('id', '=', id));
}

interface Verification {
  readonly at: Date;
  readonly by: number;
  readonly reason: string | null;
  /** Whether the account can be paid to at once. */
  readonly skips?: boolean;
}

/** Verifies a locked account, and marks the account that it replaces. */
export function verifyRow(
  change: Change,
  { id, replacesId }: AccountRow,
  { at, by, reason, skips = false }: Verification,
): void {
  const verified = {
    verified_at: at,
    verified_by: by,
    verified_reason: reason,
    skips_wait: skips,
    frozen_at: null,
    frozen_by: null,
  };
  change.send(change.updateTable('payout_accounts').set(verified).where('id', '=', id));
  if (replacesId === null) return;
  change.send(
    change
      .updateTable('payout_accounts')
      .set({ replaced_at: at })
      .where('id', '=', replacesId)
      .where('replaced_at', 'is', null),
  );
}

/**
 * What the audit log knows of the person who added an account: whether a PIN proved their username, and whether the
 * officer ever changed them.
 */
export async function selectAdder(connection: Connection, personId: number, officerTag: string) {
  return connection
    .selectFrom('persons')
    .leftJoin('audit_events as event', (join) =>
      join.onRef('event.subject_tag', '=', 'persons.tag').on('event.subject_type', '=', 'person'),
    )
    .where('persons.id', '=', personId)
    .select(sql<boolean>`coalesce(bool_or(event.action = ${PROVED}), false)`.as('isProved'))
    .select(sql<boolean>`coalesce(bool_or(event.actor_tag = ${officerTag}), false)`.as('hasChanged'))
    .executeTakeFirstOrThrow();
}

/** The audit action of a sign-up's right PIN. */
const PROVED = 'account.verified';

/** The person to whom a freeze link was sent. */
export function selectReader(connection: Connection, personId: number) {
  return connection.selectFrom('persons').select(['id', 'tag']).where('id', '=', personId).executeTakeFirst();
}
