import { useEffect, useState } from 'react';
import { navigate } from './history.ts';
import { useLocation } from './router.tsx';

/** The token after the '#': read once, then gone from the address bar and the history, kept in memory; '' without one. */
export function useTokenOnce(): string {
  const { hash, pathname } = useLocation();
  const [token, setToken] = useState('');
  const arrived = hash.slice(1);
  if (arrived !== '' && arrived !== token) setToken(arrived);
  useEffect(() => {
    if (hash !== '') void navigate(pathname, { replace: true });
  }, [hash, pathname]);
  return token;
}
