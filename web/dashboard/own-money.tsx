import { toMinor } from '#contract/money.ts';
import { useOwnLimits } from '#web/applications/terms/funding-limit.api.ts';
import { ClientFigures } from '#web/figures/client-figures.tsx';

/** A client's figures, with their available funding limits. */
export function OwnMoney() {
  const limits = useOwnLimits();
  const available = limits.data?.map(({ currency, available: left }) => [currency, toMinor(left) ?? 0] as const);
  return <ClientFigures available={available && new Map(available)} />;
}
