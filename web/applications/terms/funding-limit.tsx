import { Progress, Text } from '@mantine/core';
import type { FundingLimit } from '#contract/limits/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { useOwnLimits } from './funding-limit.api.ts';
import classes from './funding-limit.module.css';

/** A client's funding limits: how much of each they can use, and what would raise them. */
export function FundingLimits() {
  const limits = useOwnLimits();
  return (
    <SectionCard title="Funding limit" id="funding-limit">
      <Loaded what="The funding limit" query={limits} height={96}>
        {(data) => <Limits limits={data.filter(isTheirs)} />}
      </Loaded>
    </SectionCard>
  );
}

/** Leaves out a currency in which the client has no limit and owes nothing. */
function isTheirs({ limit, outstanding, submitted }: FundingLimit): boolean {
  return limit + outstanding + submitted > 0;
}

function Limits({ limits }: { readonly limits: readonly FundingLimit[] }) {
  if (limits.length === 0) return <Text c="dimmed">No funding limit has been set for your business yet.</Text>;
  return (
    <div className={classes.limits}>
      {limits.map((limit) => (
        <OneLimit key={limit.currency} limit={limit} />
      ))}
    </div>
  );
}

const PERCENT = 100;

function OneLimit({ limit }: { readonly limit: FundingLimit }) {
  const { currency, available, outstanding, submitted } = limit;
  const used = limit.limit === 0 ? PERCENT : Math.min(PERCENT, (PERCENT * (limit.limit - available)) / limit.limit);
  return (
    <div>
      <p className={classes.sentence}>
        You can use <strong>{money(currency, available)}</strong> of your funding limit of{' '}
        <span className={classes.amount}>{money(currency, limit.limit)}</span>
      </p>
      <Progress size="lg" value={used} aria-hidden />
      <Text size="sm" c="dimmed" mt="xs">
        {`Owed: ${moneyOrNone(currency, outstanding)} · Not paid out yet: ${moneyOrNone(currency, submitted)}`}
      </Text>
      {limit.growth !== null && <Text size="sm">{growthText(limit)}</Text>}
    </div>
  );
}

/** What would raise a limit. */
export function growthText({ currency, growth }: FundingLimit): string {
  if (growth === null) return '';
  const { settledOnTime, settledNeeded, next, earned } = growth;
  if (earned)
    return `${settledOnTime} applications paid back on time. We can now raise your limit to ${money(currency, next)}.`;
  return `${settledOnTime} of ${settledNeeded} applications paid back on time. Then we can raise your limit to ${money(currency, next)}.`;
}

function moneyOrNone(currency: string, amount: number): string {
  return amount === 0 ? '0' : money(currency, amount);
}

/** An amount with its currency, which never break over two lines. */
export function money(currency: string, amount: number): string {
  return `${currency}\u00a0${formatAmount(toMinor(amount))}`;
}
