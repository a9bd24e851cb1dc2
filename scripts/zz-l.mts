import { layersOf, folderImports } from '/work/wt/h/scripts/checks/house-rules/layers.ts';
import { sources } from '/work/wt/h/scripts/checks/house-rules/sources.ts';
let imps = folderImports(sources);
const { layers, knots } = layersOf(imps);
layers.forEach((l: any, i: number) => console.log(i + 1, l.join(' ')));
// show strongly connected parts only
const nodes = [...new Set(imps.flatMap((i: any) => [i.from, i.to]))] as string[];
const reach = (a: string) => { const s = new Set<string>(); const st = [a]; while (st.length) { const x = st.pop()!; for (const i of imps) if (i.from === x && !s.has(i.to)) { s.add(i.to); st.push(i.to); } } return s; };
const R = new Map(nodes.map((n) => [n, reach(n)]));
const seen = new Set<string>();
for (const n of nodes) if (R.get(n)!.has(n) && !seen.has(n)) { const scc = nodes.filter((m) => R.get(n)!.has(m) && R.get(m)!.has(n)); scc.forEach((m) => seen.add(m)); console.log('\nKNOT', scc.join(' ')); for (const i of imps) if (scc.includes(i.from) && scc.includes(i.to)) console.log('  ', i.by); }
