import { failed } from '../config/fault.ts'
import { createEvm } from '../evm/createEvm.ts'
import { type BlockTest, runBlockTest } from './blockTest.ts'
import { errorOf } from './expect.ts'
import { readState } from './memoryState.ts'
import { runStateTest, type StateTest } from './stateTest.ts'

/** A file of tests, parsed. */
export interface TestFile {
  readonly file: string
  readonly json: unknown
}

/** What became of one test. */
export interface Verdict {
  readonly name: string
  readonly fork: string
  readonly pass: boolean
  readonly error?: string
}

/** The verdicts of state tests: one for each fork and choice of data, gas and value. */
export function* stateVerdicts(files: readonly TestFile[]): Generator<Verdict> {
  const evm = createEvm('exact')
  for (const [name, test] of testsOf<StateTest>(files, ['env', 'pre', 'post', 'transaction'])) {
    const pre = readState(test.pre)
    for (const [fork, posts] of Object.entries(test.post))
      for (const post of posts) {
        const { data, gas, value } = post.indexes
        yield verdict(`${name} d${data}g${gas}v${value}`, fork, () => runStateTest(test, pre, fork, post, evm))
      }
  }
}

/** The verdicts of blockchain tests. */
export function* blockVerdicts(files: readonly TestFile[]): Generator<Verdict> {
  const evm = createEvm('exact')
  for (const [name, test] of testsOf<BlockTest>(files, ['network', 'pre', 'blocks', 'genesisBlockHeader']))
    yield verdict(name, test.network, () => runBlockTest(test, evm))
}

function verdict(name: string, fork: string, run: () => void): Verdict {
  const error = errorOf(run)
  return error ? { name, fork, pass: false, error: error.message } : { name, fork, pass: true }
}

function* testsOf<T>(files: readonly TestFile[], members: readonly string[]): Generator<readonly [string, T]> {
  for (const { file, json } of files) {
    const tests = typeof json === 'object' && json !== null ? Object.entries<unknown>({ ...json }) : []
    if (tests.length === 0) throw failed(`${file} has no tests`)
    for (const [name, test] of tests) {
      const missing = members.filter((member) => typeof test !== 'object' || test === null || !(member in test))
      if (missing.length) throw failed(`${name} in ${file} is no such test: it has no ${missing.join(', ')}`)
      yield [name, test as T]
    }
  }
}
