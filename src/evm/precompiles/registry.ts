import type { Rules } from '../../forks/rules.ts'
import type { ForkName } from '../../forks/table.ts'
import { forkIndex } from '../../forks/table.ts'
import { type Address, keyOf } from '../../primitives/bytes.ts'
import { bigIntToFixed } from '../../primitives/u256.ts'
import type { Precompile, PrecompileSet } from '../precompile.ts'
import { blake2f } from './blake2f.ts'
import {
  bls12381G1Add,
  bls12381G1Sum,
  bls12381G2Add,
  bls12381G2Sum,
  bls12381MapG1,
  bls12381MapG2,
  bls12381Pairing,
} from './bls12381.ts'
import { bn254Add, bn254Mul, bn254Pairing } from './bn254.ts'
import { ecrecover } from './ecrecover.ts'
import { identity } from './identity.ts'
import { modexp } from './modexp.ts'
import { p256verify } from './p256verify.ts'
import { pointEvaluation } from './pointEvaluation.ts'
import { ripemd160 } from './ripemd160.ts'
import { sha256 } from './sha256.ts'

// Which library computes what, and why: docs/adr/0003-precompile-libraries.md.

/** The new precompiles of each fork, by address. */
const additions: Partial<Record<ForkName, Readonly<Record<number, Precompile>>>> = {
  frontier: { 1: ecrecover, 2: sha256, 3: ripemd160, 4: identity },
  byzantium: { 5: modexp, 6: bn254Add, 7: bn254Mul, 8: bn254Pairing },
  istanbul: { 9: blake2f },
  cancun: { 10: pointEvaluation },
  prague: {
    11: bls12381G1Add,
    12: bls12381G1Sum,
    13: bls12381G2Add,
    14: bls12381G2Sum,
    15: bls12381Pairing,
    16: bls12381MapG1,
    17: bls12381MapG2,
  },
  osaka: { 256: p256verify },
}

function keyOfNumber(address: number): string {
  return keyOf(bigIntToFixed(BigInt(address), 20))
}

const byFork = new Map<number, PrecompileSet>()

function build(index: number): PrecompileSet {
  const set = new Map<string, Precompile>()
  for (const [fork, added] of Object.entries(additions)) {
    if (forkIndex(fork as ForkName) > index) continue
    for (const [address, precompile] of Object.entries(added)) set.set(keyOfNumber(Number(address)), precompile)
  }
  return set
}

/** Returns the precompiles of a fork; always the same set for the same fork. */
export function precompilesOf(rules: Rules): PrecompileSet {
  let set = byFork.get(rules.index)
  if (!set) byFork.set(rules.index, (set = build(rules.index)))
  return set
}

/** Returns a set with further precompiles, which replace those at the same address. */
export function withPrecompiles(base: PrecompileSet, extra: Iterable<readonly [Address, Precompile]>): PrecompileSet {
  const set = new Map(base)
  for (const [address, precompile] of extra) set.set(keyOf(address), precompile)
  return set
}
