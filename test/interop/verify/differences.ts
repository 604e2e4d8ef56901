import { runCompiler } from '../../../src/sources/compiling/runCompiler.ts'
import { type CompilerVersion, type CompileSettings, type Sample, vault, withoutHash } from './contracts.ts'
import { compilerOf } from './samplePackages.ts'

/** A contract on the chain that is not the one whose sources are sent. Digits without 0x. */
export interface Difference {
  readonly name: string
  /** The sources that are sent. */
  readonly of: Sample
  /** The code that creates what is on the chain instead; `first` is the address of the first contract of all. */
  code(first: string): Promise<string>
}

interface Codes {
  readonly creation: string
  readonly runtime: string
}

/** What may be another one. */
interface Changes {
  readonly from?: string
  readonly to?: string
  readonly compiler?: CompilerVersion
  readonly settings?: CompileSettings
  readonly target?: string
}

const limits = { time: 180_000, memory: 2048 }

async function compileChanged(sample: Sample, changes: Changes = {}): Promise<Codes> {
  const { compiler, settings, target, from = '', to = '' } = { ...sample, ...changes }
  const [path, name] = target.split(':') as [string, string]
  const text = sample.files[path]!.replace(from, to)
  if (from !== '' && text === sample.files[path]) throw new Error(`${sample.name} has no ${from}`)
  const { runs, evm, hash } = settings
  const input = {
    language: 'Solidity',
    sources: { [path]: { content: text } },
    settings: {
      ...{ optimizer: { enabled: runs !== undefined, runs: runs ?? 200 }, evmVersion: evm },
      ...(hash && { metadata: { bytecodeHash: hash } }),
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const { output } = await runCompiler(compilerOf(compiler), JSON.stringify(input), limits)
  const { evm: made } = JSON.parse(output).contracts[path][name]
  return { creation: made.bytecode.object, runtime: made.deployedBytecode.object }
}

const changed = (name: string, of: Sample, changes: Changes): Difference => ({
  ...{ name, of },
  code: async () => (await compileChanged(of, changes)).creation,
})

/** Code that creates exactly this. */
const creating = (code: string) => `61${(code.length / 2).toString(16).padStart(4, '0')}80600a3d393df3${code}`

const byHand = (name: string, change: (runtime: string) => string): Difference => ({
  ...{ name, of: vault },
  code: async () => creating(change((await compileChanged(vault)).runtime)),
})

/** Replaces the last place of some digits. */
function replacedLast(code: string, digits: string, by: string): string {
  const at = code.lastIndexOf(digits)
  if (at < 0) throw new Error(`there is no ${digits} in the code`)
  return code.slice(0, at) + by + code.slice(at + digits.length)
}

export const differences: readonly Difference[] = [
  changed('another constant', vault, { from: 'next > 1000', to: 'next > 1001' }),
  changed('another library inside', vault, { from: 'a + 11', to: 'a + 12' }),
  changed('without the optimizer', vault, { settings: { evm: 'prague' } }),
  changed('another compiler', vault, { compiler: '0.8.19', settings: { evm: 'paris', runs: 200 } }),
  changed('rules of another fork', vault, { settings: { evm: 'paris', runs: 200 } }),
  changed('another contract of the same file', vault, { target: 'Vault.sol:Other' }),
  changed('another body, without the hash of metadata', withoutHash, { from: 'count = 0', to: 'count = 1' }),
  byHand('bytes behind the code', (code) => `${code}00`),
  // 1000 in `set`.
  byHand('one byte of the program', (code) => replacedLast(code, '6103e8', '6103e9')),
  {
    ...{ name: 'a minimal proxy to the contract', of: vault },
    code: async (first) => creating(`363d3d373d3d3d363d73${first.slice(2)}5af43d82803e903d91602b57fd5bf3`),
  },
]
