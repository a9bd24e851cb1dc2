import { registerHooks } from 'node:module';

/**
 * Loaded before a server (`--import`), so that it starts as it did before the start-up checks existed: any content of
 * the secret file counts as a secret, and a missing secret or database is created.
 */
const looks = new Map([
  ['secrets/secret-file.ts', { look: 'secret.trim().length >= SECRET_LENGTH', careless: 'true' }],
  ['open-platform.ts', { look: 'if (!(await hasData(db)))', careless: 'if (true)' }],
  ['db/connect/connect.ts', { look: 'documents.length === 0 && !hasSecret', careless: 'true' }],
]);

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const planted = looks.get(url.split('/server/')[1] ?? '');
    if (planted === undefined) return loaded;
    const source = loaded.source instanceof Uint8Array ? Buffer.from(loaded.source).toString() : loaded.source;
    if (typeof source !== 'string' || !source.includes(planted.look))
      throw new Error(`${url} does not look as it did: ${planted.look}`);
    return { ...loaded, source: source.replace(planted.look, planted.careless) };
  },
});
