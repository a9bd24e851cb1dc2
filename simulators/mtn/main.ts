import { run } from '#simulators/ground/run.ts';
import { mtnSettings } from './access.ts';
import { mtn } from './mtn.ts';

await run((settings) => mtn(mtnSettings.parse(settings)));
