import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { API_ROOT } from '#contract/endpoint.ts';
import type { ProviderCode } from '#contract/payouts/account.ts';
import { type Config, ConfigError } from '#server/config/config.ts';
import type { Clock } from '#server/machine/clock.ts';
import type { Rail, RailKind } from '#server/rail-port/rail.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

/** An open rail, with its description. */
export interface OpenRail extends Rail {
  readonly kind: RailKind;
  readonly breaker: CircuitBreaker;
}

/** A server's open rails. A provider without settings has none, and officers pay its accounts by hand. */
export interface Rails {
  /** The rail with that id. */
  find(id: string): OpenRail | undefined;
  /** The rail that pays a provider's accounts in a currency. */
  payingTo(provider: ProviderCode, currency: string): OpenRail | undefined;
  /** The ids of every rail, open or not, that may know of transfers to a provider's accounts. */
  idsOf(provider: ProviderCode): readonly string[];
  /** The rail that can look up the holders of a provider's accounts. */
  knowing(provider: ProviderCode): OpenRail | undefined;
  /** The provider whose accounts a rail pays, open or not. */
  providerOf(id: string): ProviderCode | undefined;
  /** A rail's name for people, open or not. */
  nameOf(id: string): string;
  /** How a rail writes its files, open or not; undefined if it calls a provider. */
  fileOf(id: string): RailKind['writeFile'];
  /** The open rails. */
  readonly open: readonly OpenRail[];
}

/** The rails in these folders: every subfolder that contains a `rail.ts`. */
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

/**
 * Opens the rails that have settings. Throws ConfigError for wrong settings, and if two rails would pay the same
 * accounts.
 */
export function openRails({ rails: { kinds, environment }, publicUrl }: OpenedBy, clock: Clock): Rails {
  const open: OpenRail[] = [];
  for (const kind of kinds) {
    const callbackUrl = publicUrl === undefined ? undefined : `${publicUrl}${API_ROOT}/rails/${kind.id}/callback`;
    const rail = kind.open(environment, { now: () => clock.now(), callbackUrl });
    if (rail !== undefined) open.push(withKind(rail, kind));
  }
  refuseRivals(open);
  return {
    find: (id) => open.find(({ kind }) => kind.id === id),
    payingTo: (provider, currency) => open.find((rail) => rail.kind.provider === provider && isFor(rail, currency)),
    idsOf: (provider) =>
      kinds.filter((kind) => kind.provider === provider && kind.writeFile === undefined).map(({ id }) => id),
    knowing: (provider) => open.find(({ kind }) => kind.provider === provider && kind.writeFile === undefined),
    providerOf: (id) => kinds.find((kind) => kind.id === id)?.provider,
    nameOf: (id) => kinds.find((kind) => kind.id === id)?.name ?? id,
    fileOf: (id) => kinds.find((kind) => kind.id === id)?.writeFile,
    open,
  };
}

type OpenedBy = { readonly rails: Pick<Config['rails'], 'kinds' | 'environment'> } & Pick<Config, 'publicUrl'>;

/** Refuses two rails for the same accounts, because the name of a folder would decide between them. */
function refuseRivals(open: readonly OpenRail[]): void {
  for (const [nth, one] of open.entries()) {
    for (const other of open.slice(nth + 1)) {
      const shared = one.kind.currencies.find((currency) => isFor(one, currency) && isFor(other, currency));
      if (shared === undefined || one.kind.provider !== other.kind.provider) continue;
      throw new ConfigError(
        `${one.kind.name} and ${other.kind.name} both pay ${one.kind.provider} accounts in ${shared}: take the settings of one away.`,
      );
    }
  }
}

function isFor({ kind, paidFrom }: OpenRail, currency: string): boolean {
  if (!kind.currencies.includes(currency)) return false;
  return kind.writeFile === undefined || paidFrom?.(currency) !== undefined;
}

/** Copies the fields one by one, because a rail may be an object with a prototype, which a spread would lose. */
function withKind(rail: Rail, kind: RailKind): OpenRail {
  return {
    kind,
    breaker: new CircuitBreaker(),
    payout: rail.payout,
    collection: rail.collection,
    holder: (number, signal) => rail.holder(number, signal),
    callbackReference: (body) => rail.callbackReference(body),
    paidFrom: (currency) => rail.paidFrom?.(currency),
  };
}

/** No rails, for tools and for tests without providers. */
export const noRails: Rails = {
  find: () => undefined,
  payingTo: () => undefined,
  knowing: () => undefined,
  idsOf: () => [],
  providerOf: () => undefined,
  nameOf: (id) => id,
  fileOf: () => undefined,
  open: [],
};
