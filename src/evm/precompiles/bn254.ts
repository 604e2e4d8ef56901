import { since } from '../../forks/rules.ts'
import type { Precompile } from '../precompile.ts'
import { createFusedBn254 } from './fusedBn254.ts'
import { createMclBn254 } from './mclBn254.ts'
import { booleanWord } from './pairing.ts'
import { readPadded } from './readPadded.ts'
import { lazy } from './wasm.ts'

const library = lazy(createMclBn254)
/** Our own arithmetic needs a machine whose multiply-add rounds once. */
const fastest = lazy(() => createFusedBn254() ?? library())

const pairLength = 192

// Gas: EIP-196 and EIP-197, lowered by EIP-1108 in Istanbul.

/** Adds two points (EIP-196). */
export const bn254Add: Precompile = {
  name: 'BN254_ADD',
  gas: (_, rules) => (since(rules, 'istanbul') ? 150n : 500n),
  run: (input) => library().add(readPadded(input, 0, 128)),
}

/** Multiplies a point by a scalar (EIP-196). */
export const bn254Mul: Precompile = {
  name: 'BN254_MUL',
  gas: (_, rules) => (since(rules, 'istanbul') ? 6000n : 40_000n),
  run: (input) => fastest().multiply(readPadded(input, 0, 96)),
}

/** Checks whether a product of pairings is one (EIP-197). */
export const bn254Pairing: Precompile = {
  name: 'BN254_PAIRING',
  gas(input, rules) {
    const pairs = BigInt(Math.floor(input.length / pairLength))
    return since(rules, 'istanbul') ? 45_000n + 34_000n * pairs : 100_000n + 80_000n * pairs
  },
  run: (input) => (input.length % pairLength === 0 ? booleanWord(fastest().isPairingOne(input)) : undefined),
}
