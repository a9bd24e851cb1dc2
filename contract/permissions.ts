/** The permission codes, as a session's `perms` carry them. */
export const permissionCodes = ['BIDA', 'KADMIN', 'KSTAF'] as const;
export type PermissionCode = (typeof permissionCodes)[number];

/** The display names that the wire calls `roles`. */
export const roleNames: Readonly<Record<PermissionCode, string>> = {
  BIDA: 'Business client',
  KADMIN: 'Administrator',
  KSTAF: 'Staff',
};

const staff = ['KADMIN', 'KSTAF'] as const;
const client = ['BIDA'] as const;
const clientOrStaff = [...client, ...staff] as const;

/** Who may do what. Rows are scoped to their owner in the queries, not here. */
const allowed = {
  'account.secondFactor': staff,
  'people.list': staff,
  'people.update': staff,
  'people.deactivate': staff,
  'people.setRoles': ['KADMIN'],
  'people.resetSecondFactor': ['KADMIN'],
  'businesses.list': staff,
  'businesses.edit': staff,
  'businesses.people': staff,
  'profiles.all': staff,
  'invoices.view': clientOrStaff,
  'invoices.edit': client,
  'applications.edit': client,
  'applications.submit': client,
  'documents.view': clientOrStaff,
  'documents.edit': client,
  'desk.view': staff,
  'desk.decide': staff,
  'payments.record': staff,
  'journal.view': staff,
  'journal.trialBalance': ['KADMIN'],
  'payoutAccounts.own': client,
  'payoutAccounts.freeze': clientOrStaff,
  'payoutAccounts.verify': staff,
  'limits.own': client,
  'limits.all': staff,
  'limits.set': staff,
  'evidence.export': staff,
  'figures.own': client,
  'figures.all': staff,
} as const satisfies Record<string, readonly PermissionCode[]>;

export type Action = keyof typeof allowed;

/** Staff read invoices and applications, and upload nothing. */
const readOnlyForStaff: ReadonlySet<Action> = new Set([
  'invoices.edit',
  'applications.edit',
  'applications.submit',
  'documents.edit',
  'payoutAccounts.own',
]);

/**
 * Actions allowed only on others: nobody deactivates themselves, sets their own roles or resets their own second
 * factor.
 */
const neverOnOneself: ReadonlySet<Action> = new Set([
  'people.deactivate',
  'people.setRoles',
  'people.resetSecondFactor',
]);

/** The person of the session who acts, or the person whom an action concerns. */
export interface Actor {
  readonly tag: string;
  readonly perms: readonly PermissionCode[];
}

/** Whether somebody has a permission; codes are compared in upper case. */
function holds({ perms }: { readonly perms: readonly string[] }, code: PermissionCode): boolean {
  return perms.some((held) => held.toUpperCase() === code);
}

/** True for KADMIN and KSTAF. */
export function isStaff(person: { readonly perms: readonly string[] }): boolean {
  return staff.some((code) => holds(person, code));
}

/**
 * True for a business client who is not staff. People with a staff permission always read as staff, even if they also
 * hold BIDA.
 */
export function isClient(person: { readonly perms: readonly string[] }): boolean {
  return holds(person, 'BIDA') && !isStaff(person);
}

/** Whether the actor has permission for this action on anybody at all. */
export function may(actor: Actor, action: Action): boolean {
  if (readOnlyForStaff.has(action) && isStaff(actor)) return false;
  return allowed[action].some((code) => holds(actor, code));
}

/**
 * Whether the actor may take this action on that person (docs/decisions/0041-left-open.md): nobody deactivates
 * themselves, sets their own roles or resets their own second factor, and only KADMIN changes staff.
 */
export function mayOnPerson(actor: Actor, action: Action, subject: Actor): boolean {
  if (!may(actor, action)) return false;
  if (actor.tag === subject.tag && neverOnOneself.has(action)) return false;
  return holds(actor, 'KADMIN') || !isStaff(subject);
}
