import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/** A dialog's body, with one key for all its tries. */
export interface Keyed<Body> {
  readonly body: Body;
  readonly idempotencyKey: string;
}

/** Every query: what an officer does to a case or to money may show anywhere. */
const everything = [[]] as const;

/** Changes something; over when what begins with `keys` has been loaded again, however it ended. */
export function useChange<Asked, Reply>(
  change: (asked: Asked) => Promise<Reply>,
  keys: readonly QueryKey[] = everything,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
