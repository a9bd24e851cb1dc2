import { Anchor } from '@mantine/core';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';

interface BusinessLinkProps {
  /** Absent where a business has no page: for clients. */
  readonly tag: string | null | undefined;
  readonly children: string;
}

/** A business's name, for staff as the link to its page. */
export function BusinessLink({ tag, children }: BusinessLinkProps) {
  if (tag == null) return children;
  return (
    <Anchor component={Link} to={paths.business(tag)} title={children} inherit>
      {children}
    </Anchor>
  );
}
