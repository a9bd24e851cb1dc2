import { useEffect, useState } from 'react';
import { navigate } from './history.ts';
import { useLocation } from './router.tsx';

/**
 * The token after the '#'. It is read once, removed from the address bar and the history, and held in memory; '' if
 * there is none.
 */
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
