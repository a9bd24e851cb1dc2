import { Pagination } from '@mantine/core';
import { PAGE_SIZE } from '#contract/product.ts';
import { useIsPhone } from '#web/ui/theme/use-is-phone.ts';
import classes from './data-table.module.css';

interface PagesProps {
  readonly label: string;
  readonly total: number;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/**
 * One page on either side of the current one and one at either end (docs/specification-coverage.md, 9); on a phone
 * those fill the width.
 */
export function Pages({ label, total, page, onPage }: PagesProps) {
  const phone = useIsPhone();
  const pages = Math.ceil(total / PAGE_SIZE);
  if (pages < 2) return null;
  return (
    <Pagination
      component="nav"
      aria-label={`Pages of ${label}`}
      total={pages}
      value={page}
      onChange={onPage}
      siblings={1}
      boundaries={1}
      gap={phone ? 2 : 6}
      classNames={{ control: classes.page }}
      withControls={!phone}
      getControlProps={(control) => ({ 'aria-label': `${control === 'next' ? 'Next' : 'Previous'} page` })}
      getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
    />
  );
}
