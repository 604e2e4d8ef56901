/**
 * Every fork once, in the order of time. `key` is its name in a genesis file and says whether a block number or a
 * timestamp switches it on. `eips` are documentation only; code reads `Rules`.
 */
export const forks = [
  { name: 'frontier', key: 'frontierBlock', eips: [] },
  { name: 'homestead', key: 'homesteadBlock', eips: [2, 7] },
  { name: 'dao', key: 'daoForkBlock', eips: [779] },
  { name: 'tangerineWhistle', key: 'eip150Block', eips: [150] },
  { name: 'spuriousDragon', key: 'eip158Block', eips: [155, 160, 161, 170] },
  { name: 'byzantium', key: 'byzantiumBlock', eips: [100, 140, 196, 197, 198, 211, 214, 649, 658] },
  { name: 'constantinople', key: 'constantinopleBlock', eips: [145, 1014, 1052, 1234, 1283] },
  { name: 'petersburg', key: 'petersburgBlock', eips: [] },
  { name: 'istanbul', key: 'istanbulBlock', eips: [152, 1108, 1344, 1884, 2028, 2200] },
  { name: 'muirGlacier', key: 'muirGlacierBlock', eips: [2384] },
  { name: 'berlin', key: 'berlinBlock', eips: [2565, 2718, 2929, 2930] },
  { name: 'london', key: 'londonBlock', eips: [1559, 3198, 3529, 3541, 3554] },
  { name: 'arrowGlacier', key: 'arrowGlacierBlock', eips: [4345] },
  { name: 'grayGlacier', key: 'grayGlacierBlock', eips: [5133] },
  // geth's spelling makes Besu take a file for one of geth's (src/forks/genesisFile.ts); geth reads this one as well.
  { name: 'paris', key: 'mergeNetSplitBlock', eips: [3675, 4399] },
  { name: 'shanghai', key: 'shanghaiTime', eips: [3651, 3855, 3860, 4895] },
  { name: 'cancun', key: 'cancunTime', eips: [1153, 4788, 4844, 5656, 6780, 7516] },
  { name: 'prague', key: 'pragueTime', eips: [2537, 2935, 6110, 7002, 7251, 7549, 7623, 7685, 7691, 7702, 7840] },
  { name: 'osaka', key: 'osakaTime', eips: [7594, 7823, 7825, 7883, 7892, 7918, 7934, 7939, 7951] },
] as const satisfies readonly { name: string; key: `${string}${'Block' | 'Time'}`; eips: readonly number[] }[]

export type ForkName = (typeof forks)[number]['name']

const order = new Map<ForkName, number>(forks.map(({ name }, i) => [name, i]))

/** Returns the fork's position in the table, for comparisons. */
export function forkIndex(name: ForkName): number {
  return order.get(name)!
}
