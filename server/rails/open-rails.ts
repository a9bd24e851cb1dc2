import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { API_ROOT } from '#contract/endpoint.ts';
import type { ProviderCode } from '#contract/payouts/account.ts';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config/config.ts';
import type { Rail, RailKind } from './rail.ts';

/** A rail with its settings. */
export interface OpenRail extends Rail {
  readonly kind: RailKind;
}

/** The open rails of a server. Without settings a provider has none, and is paid by hand. */
export interface Rails {
  /** The one with that id. */
  find(id: string): OpenRail | undefined;
  /** The one that pays that provider's accounts in that currency. */
  payingTo(provider: ProviderCode, currency: string): OpenRail | undefined;
  /** What people call it, open or not. */
  nameOf(id: string): string;
}

/** The rails of these folders: each folder in one of them with a `rail.ts` is a rail. */
export async function findRailKinds(folders: readonly string[] = [import.meta.dirname]): Promise<readonly RailKind[]> {
  const kinds: RailKind[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    for (const name of names.toSorted()) kinds.push(await readKind(join(folder, name)));
  }
  return kinds;
}

async function readKind(folder: string): Promise<RailKind> {
  const loaded: { readonly rail?: RailKind } = await import(pathToFileURL(join(folder, 'rail.ts')).href);
  if (loaded.rail === undefined) throw new Error(`${folder}/rail.ts has no export 'rail'`);
  return loaded.rail;
}

/** Opens the rails that have settings. Throws ConfigError for wrong ones. */
export function openRails({ rails: { kinds, environment }, publicUrl }: OpenedBy, clock: Clock): Rails {
  const open: OpenRail[] = [];
  for (const kind of kinds) {
    const callbackUrl = publicUrl === undefined ? undefined : `${publicUrl}${API_ROOT}/rails/${kind.id}/callback`;
    const rail = kind.open(environment, { now: () => clock.now(), callbackUrl });
    if (rail !== undefined) open.push(withKind(rail, kind));
  }
  return {
    find: (id) => open.find(({ kind }) => kind.id === id),
    payingTo: (provider, currency) =>
      open.find(({ kind }) => kind.provider === provider && kind.currencies.includes(currency)),
    nameOf: (id) => kinds.find((kind) => kind.id === id)?.name ?? id,
  };
}

type OpenedBy = { readonly rails: Pick<Config['rails'], 'kinds' | 'environment'> } & Pick<Config, 'publicUrl'>;

/** A rail may be an object with a prototype, which a spread would lose. */
function withKind(rail: Rail, kind: RailKind): OpenRail {
  return {
    kind,
    payout: rail.payout,
    collection: rail.collection,
    holder: (number, signal) => rail.holder(number, signal),
    callbackReference: (body) => rail.callbackReference(body),
  };
}

/** What a tool and a test without providers has. */
export const noRails: Rails = { find: () => undefined, payingTo: () => undefined, nameOf: (id) => id };
