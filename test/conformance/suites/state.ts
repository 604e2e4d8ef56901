import { readState } from '../../../src/evmtool/memoryState.ts'
import { runStateTest, type StateTest } from '../../../src/evmtool/stateTest.ts'
import type { Data, Group } from '../data.ts'
import { engineOf } from '../engines.ts'
import type { Case, Suite, SuiteOptions } from '../suite.ts'

/** Tests that take long on any client: attacks, quadratic costs, thousands of calls. */
const slow =
  /stTimeConsuming|stAttackTest|stQuadraticComplexityTest|stMemoryStressTest|stRecursiveCreate|vmPerformance|JUMPDEST_Attack|50000|static_Loop/

async function* cases(data: Data, options: SuiteOptions, group: Group): AsyncGenerator<Case> {
  for await (const entry of data.entries(group)) {
    const test = entry.test as StateTest
    const pre = readState(test.pre)
    for (const [fork, posts] of Object.entries(test.post))
      for (const post of posts) {
        const { data: d, gas: g, value: v } = post.indexes
        const run = () => runStateTest(test, pre, fork, post, engineOf(options.engine))
        yield { name: `${entry.path} ${entry.name} ${fork} d${d}g${g}v${v}`, run }
      }
  }
}

const folders = ['GeneralStateTests']

export const state: Suite = {
  name: 'state',
  doc: 'GeneralStateTests: one transaction on a state, by fork, without the slow ones.',
  cases: (data, options) =>
    cases(data, options, { bundles: /^state-(?!slow)/, folders, files: (path) => !slow.test(path) }),
}

export const stateSlow: Suite = {
  name: 'state-slow',
  doc: 'GeneralStateTests that take minutes on any client: attacks, quadratic costs, 4 billion rounds of BLAKE2.',
  rare: true,
  cases: (data, options) => cases(data, options, { bundles: /^state-slow/, folders, files: (path) => slow.test(path) }),
}
