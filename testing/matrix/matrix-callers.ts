import type { PermissionCode } from '#contract/permissions.ts';
import { buildPerson, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import type { TestApp, TestCaller } from '#testing/test-app.ts';

/** The kinds of caller of the permission matrix. */
export const callerKinds = ['anonymous', 'unverified', 'noPermission', 'client', 'staff', 'admin'] as const;
export type CallerKind = (typeof callerKinds)[number];

/** A caller of the matrix; those without a session have no person. */
export interface MatrixCaller {
  readonly kind: CallerKind;
  readonly caller: TestCaller;
  readonly person: { readonly id: number; readonly tag: string; readonly businessId: number | null } | null;
}

const perms: Record<Exclude<CallerKind, 'anonymous' | 'unverified'>, readonly PermissionCode[]> = {
  noPermission: [],
  client: ['BIDA'],
  staff: ['KSTAF'],
  admin: ['KADMIN'],
};

/** A new caller of that kind. An unverified person has tried to log in and was refused. */
export async function createMatrixCaller(app: TestApp, kind: CallerKind): Promise<MatrixCaller> {
  if (kind === 'anonymous') return { kind, caller: app.visitor(), person: null };
  if (kind === 'unverified') return { kind, caller: await refusedCaller(app), person: null };
  const status = kind === 'noPermission' ? 'Verified' : 'Active';
  const { caller, person } = await buildSignedIn(app, { perms: perms[kind], status });
  const { business_id: businessId } = await app.platform.db
    .selectFrom('persons')
    .select('business_id')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow();
  return { kind, caller, person: { ...person, businessId } };
}

const refusedCallers = new WeakMap<TestApp, Promise<TestCaller>>();

/** A person whose login was refused. One is enough, because none of the calls changes them. */
function refusedCaller(app: TestApp): Promise<TestCaller> {
  const known = refusedCallers.get(app) ?? refuse(app);
  refusedCallers.set(app, known);
  return known;
}

async function refuse(app: TestApp): Promise<TestCaller> {
  const caller = app.visitor();
  const { username } = await buildPerson(app, { status: 'Pending' });
  await caller.post('/users/login', { username, password: TEST_PASSWORD });
  return caller;
}
