import { Anchor, Table, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from '#web/platform/router/router.tsx';
import classes from './figures.module.css';
import { Sum } from './sum.tsx';

export interface Share {
  readonly name: string;
  /** Decimal text. */
  readonly sum: string;
  /** A link to the list behind the part. */
  readonly to?: string;
}

interface ShareTableProps {
  readonly title: string;
  /** What each part represents, such as 'Buyer'. */
  readonly part: string;
  readonly currency: string;
  readonly shares: readonly Share[];
  /** The whole, as decimal text. */
  readonly whole: string;
  /** Whether these shares are bad news; if so, their bars are red. */
  readonly isAlarm?: boolean;
}

const PERCENT = 100;

/** The parts of a sum as a table with bars: each with its amount and its percentage of the whole. */
export function ShareTable({ title, part, currency, shares, whole, isAlarm = false }: ShareTableProps) {
  const id = useId();
  // As numbers they are exact enough for pixels and whole per cent.
  const shareOf = (sum: string): number => (Number(whole) === 0 ? 0 : (Number(sum) / Number(whole)) * PERCENT);
  return (
    <div>
      <Title order={3} id={id} mb="xs">
        {title}
      </Title>
      <Table aria-labelledby={id} className={classes.shares} data-alarm={isAlarm || undefined} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{part}</Table.Th>
            <Table.Th scope="col">{currency}</Table.Th>
            <Table.Th scope="col">Share</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shares.map(({ name, sum, to }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">
                {to === undefined ? (
                  name
                ) : (
                  <Anchor component={Link} to={to} inherit>
                    {name}
                  </Anchor>
                )}
                <div className={classes.bar} aria-hidden>
                  <div style={{ width: `${shareOf(sum)}%` }} />
                </div>
              </Table.Th>
              <Table.Td>
                <Sum value={sum} />
              </Table.Td>
              <Table.Td>{sayShare(shareOf(sum))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** A share in whole per cent; a very small one is not shown as 0. */
function sayShare(share: number): string {
  return share > 0 && share < 1 ? 'under 1%' : `${Math.round(share)}%`;
}
