import { toHex } from '../../src/primitives/hex.ts'
import type { Random } from '../fuzz/random.ts'
import { assemble, deploys } from '../support/evmWorld.ts'

/** A contract that programs may call. */
export interface Target {
  /** In hexadecimal. */
  readonly address: string
  /** How deep its own calls go: without a limit of gas, calls that fan out at every level would never end. */
  readonly depth: number
}

/** Code, and how deep its calls go. */
export interface Program {
  readonly code: Uint8Array
  readonly depth: number
}

const maxDepth = 3
/** Calls of one program; a few levels of them are a few dozen frames. */
const maxCalls = 2

/** Runtime codes of public contracts: one that is read, and one whose calls write. */
export const publicCodes: readonly Uint8Array[] = [
  deploys(assemble('0 SLOAD 0 MSTORE 32 0 RETURN')),
  deploys(assemble('NUMBER 0 SSTORE 0 SLOAD 0 MSTORE 32 0 RETURN')),
]

/** Init codes of contracts that contracts create: with and without success. */
const children = ['1 0 SSTORE', '0 0 REVERT', '1 0 SSTORE 0 0 REVERT', 'INVALID', '0 0 MSTORE8 1 0 RETURN'].map(
  (source) => assemble(source),
)

const facts = ['NUMBER', 'TIMESTAMP', 'CALLER', 'ORIGIN', 'GASPRICE', 'CHAINID', 'COINBASE', 'ADDRESS', 'CALLVALUE']

/** Writes contracts that store, log, create, read public state and call each other, some of which fail. */
export function createPrograms(random: Random, strangers: readonly string[]) {
  const slot = () => random.below(4)

  /** Parts leave the stack as it was. */
  function part(): string {
    const kind = random.weighted([
      [4, `${random.below(1000)} ${slot()} SSTORE`],
      [2, `${slot()} SLOAD 1 ADD ${slot()} SSTORE`],
      [2, `${random.below(1000)} ${random.below(100)} MSTORE 32 ${random.below(100)} LOG0`],
      [2, `${random.below(1000)} ${random.below(1000)} 32 0 LOG2`],
      [2, `${random.pick(facts)} ${slot()} SSTORE`],
      [1, `1 NUMBER SUB BLOCKHASH ${slot()} SSTORE`],
      [1, `${random.pick(strangers)} ${random.pick(['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH'])} ${slot()} SSTORE`],
    ])
    return kind
  }

  function create(): string {
    const init = random.pick(children)
    return `${BigInt(toHex(init))} 0 MSTORE ${init.length} ${32 - init.length} 0 CREATE ${slot()} SSTORE`
  }

  function call({ address }: Target): string {
    const rest = `${address} GAS`
    const made = random.weighted([
      [4, `32 0 0 0 0 ${rest} CALL`],
      [2, `32 0 0 0 ${rest} STATICCALL`],
      [2, `32 0 0 0 ${rest} DELEGATECALL`],
      [1, `32 0 0 0 0 ${rest} CALLCODE`],
    ])
    return `${made} ${slot()} SSTORE 0 MLOAD ${slot()} SSTORE`
  }

  /** A sequence of parts, with calls of some of the targets, and how it ends. */
  function body(targets: readonly Target[], ends: readonly (readonly [number, string])[]): Program {
    const near = targets.filter(({ depth }) => depth < maxDepth)
    const parts = Array.from({ length: random.between(1, 4) }, part)
    let depth = 0
    for (let n = near.length > 0 ? random.below(maxCalls + 1) : 0; n > 0; n--) {
      const target = random.pick(near)
      depth = Math.max(depth, target.depth + 1)
      parts.splice(random.below(parts.length + 1), 0, call(target))
    }
    if (random.percent(25)) parts.splice(random.below(parts.length + 1), 0, create())
    return { code: assemble(`${parts.join(' ')} ${random.weighted(ends)}`), depth }
  }

  return {
    /** Init code of a contract; `depth` is that of the contract. */
    creation(targets: readonly Target[]): Program {
      const runtime = body(targets, [
        [6, 'STOP'],
        [4, '32 0 RETURN'],
        [3, '0 0 REVERT'],
        [2, '32 0 REVERT'],
        [1, 'INVALID'],
        [1, `${random.pick(strangers)} SELFDESTRUCT`],
      ])
      if (random.percent(15)) return { ...runtime, code: body(targets, [[1, '0 0 REVERT']]).code }
      return { ...runtime, code: deploys(runtime.code) }
    },
  }
}
