import { createEvm } from '../../src/evm/createEvm.ts'
import type { Evm } from '../../src/evm/evm.ts'
import type { EvmKind } from '../../src/evm/evmModule.ts'
import type { Host } from '../../src/evm/host.ts'
import type { BlockEnv, Message, Outcome } from '../../src/evm/message.ts'
import { opcodes } from '../../src/evm/opcodes.ts'
import type { Tracer } from '../../src/evm/tracer.ts'
import { type Rules, rulesOf } from '../../src/forks/rules.ts'
import type { ForkName } from '../../src/forks/table.ts'
import {
  type Address,
  concatBytes,
  emptyBytes,
  type Hash32,
  keyOf,
  toAddress,
  toHash32,
} from '../../src/primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../../src/primitives/keccak.ts'
import { bigIntToBytes, bigIntToFixed, bytesToBigInt, toWord } from '../../src/primitives/u256.ts'

/** An account of a test's world. */
export interface TestAccount {
  readonly nonce?: bigint
  readonly balance?: bigint
  readonly code?: Uint8Array
  readonly storage?: Readonly<Record<string, bigint>>
}

export const sender = addressOf(0xcafen)
export const contract = addressOf(0xc0den)
export const coinbase = addressOf(0xfeen)

export const block: BlockEnv = {
  number: 1000n,
  timestamp: 1_700_000_000n,
  beneficiary: coinbase,
  gasLimit: 30_000_000n,
  difficulty: 0x20000n,
  prevRandao: toHash32(toWord(0x1234n)),
  baseFee: 7n,
  blobBaseFee: 9n,
  chainId: 1337n,
}

export function addressOf(n: bigint): Address {
  return toAddress(bigIntToFixed(n, 20))
}

export function slotOf(n: bigint): Hash32 {
  return toHash32(toWord(n))
}

const codes = new Map<string, number>(Object.entries(opcodes))

/** Opcodes by name; a number is the shortest PUSH of it; `name:` is a JUMPDEST, `@name` a PUSH2 of its position. */
export function assemble(source: string): Uint8Array {
  const out: number[] = []
  const labels = new Map<string, number>()
  const uses: [number, string][] = []
  for (const token of source.trim().split(/\s+/)) {
    const code = codes.get(token)
    if (code !== undefined) out.push(code)
    else if (token.endsWith(':')) {
      labels.set(token.slice(0, -1), out.length)
      out.push(opcodes.JUMPDEST)
    } else if (token.startsWith('@')) {
      uses.push([out.length + 1, token.slice(1)])
      out.push(opcodes.PUSH2, 0, 0)
    } else {
      const bytes = bigIntToBytes(BigInt(token))
      out.push(opcodes.PUSH0 + Math.max(bytes.length, 1), ...(bytes.length ? bytes : [0]))
    }
  }
  for (const [at, label] of uses) {
    const target = labels.get(label)!
    out[at] = target >> 8
    out[at + 1] = target & 255
  }
  return Uint8Array.from(out)
}

/** Init code that leaves `code` as the contract's code. */
export function deploys(code: Uint8Array): Uint8Array {
  const head = (at: number) => assemble(`${code.length} ${at} 0 CODECOPY ${code.length} 0 RETURN`)
  return concatBytes(head(head(0).length), code)
}

/** A host over plain data, by lower-case hex of the number in `addressOf`. */
export function mapHost(accounts: ReadonlyMap<string, TestAccount>): Host {
  const byHash = new Map<string, Uint8Array>([[keyOf(emptyCodeHash), emptyBytes]])
  for (const { code } of accounts.values()) if (code) byHash.set(keyOf(keccak256(code)), code)
  return {
    account(address) {
      const found = accounts.get(keyOf(address))
      if (!found) return undefined
      const { nonce = 0n, balance = 0n, code, storage = {} } = found
      const hasStorage = Object.values(storage).some((value) => value !== 0n)
      return { nonce, balance, codeHash: code?.length ? keccak256(code) : emptyCodeHash, hasStorage }
    },
    storage: (address, slot) => {
      const value = accounts.get(keyOf(address))?.storage?.[String(BigInt('0x' + Buffer.from(slot).toString('hex')))]
      return value ? bigIntToBytes(value) : emptyBytes
    },
    code: (hash) => byHash.get(keyOf(hash))!,
    blockHash: (number) => toHash32(toWord(number + 0xb10cn)),
  }
}

export interface WorldOptions {
  readonly kind?: EvmKind
  readonly fork?: ForkName
  readonly rules?: Rules
  readonly tracer?: Tracer
}

const engines = new Map<EvmKind, Evm>()

/**
 * An engine in the middle of a transaction of `sender` on a world of these accounts. There is one engine of a kind, so
 * that a new world ends the one before it.
 */
export function startWorld(
  accounts: readonly (readonly [Address, TestAccount])[],
  { kind = 'exact', fork = 'osaka', rules = rulesOf(fork), tracer }: WorldOptions = {},
): Evm {
  const evm = engines.get(kind) ?? createEvm(kind)
  engines.set(kind, evm)
  evm.setTracer(tracer)
  evm.reset(mapHost(new Map(accounts.map(([address, account]) => [keyOf(address), account]))))
  evm.setBlock(block, rules)
  evm.beginTx({ origin: sender, gasPrice: 10n, blobHashes: [toHash32(toWord(0xb10bn))] })
  return evm
}

/** Sends a message from `sender` to `contract`. */
export function send(evm: Evm, message: Partial<Message> = {}): Outcome {
  return evm.call({ from: sender, to: contract, value: 0n, data: emptyBytes, gas: 1_000_000n, ...message })
}

/** Source that pushes the arguments of a call of `to` and calls. */
export function calls(
  op: string,
  to: Address,
  { gas = '50000', value = '0', out = '32 0', input = '0 0' } = {},
): string {
  const hasValue = op === 'CALL' || op === 'CALLCODE'
  return `${out} ${input} ${hasValue ? value : ''} ${bytesToBigInt(to)} ${gas} ${op}`
}

/** Source that returns the word on top of the stack. */
export const returnTop = '0 MSTORE 32 0 RETURN'
